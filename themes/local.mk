# Colour themes: data files, found by `--theme NAME`.
dist_theme_DATA =
