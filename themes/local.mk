# Colour themes: data files, found by `--theme NAME`.
dist_theme_DATA =
dist_theme_DATA += themes/default.theme
dist_theme_DATA += themes/mono.theme
dist_theme_DATA += themes/contrast.theme
dist_theme_DATA += themes/phosphor.theme
dist_theme_DATA += themes/solarized.theme
dist_theme_DATA += themes/solarized-light.theme
