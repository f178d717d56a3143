# Colour themes: data files, found by `--theme NAME`.
dist_theme_DATA =
dist_theme_DATA += themes/default.theme
