"""How the site is built: ``sphinx-build -W doc doc/_build``, without a network."""

import sys
from pathlib import Path

import matplotlib as mpl

from skcostci import __version__

sys.path.insert(0, str(Path(__file__).parent / "extensions"))
mpl.use("Agg")

project = "skcostci"
author = "The skcostci developers"
version = release = __version__

extensions = [
    "pages",
    "scraper",
    "myst_parser",
    "numpydoc",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.mathjax",
    "sphinx_copybutton",
    "sphinx-mathjax-offline",  # formulas can be read without a network
    "sphinx_gallery.gen_gallery",
]
exclude_patterns = ["_build", "examples", "auto_examples/**/*.ipynb", "auto_examples/**/*.md5"]
templates_path = ["_templates"]
nitpicky = True
# Words of parameter types, not names to link to.
nitpick_ignore_regex = [("py:.*", r"(?!skcostci).*"), ("py:.*", r"skcostci\.(_|laws|statistics|displays).*")]
add_module_names = False
toc_object_entries_show_parents = "hide"

copybutton_prompt_text = r">>> |\.\.\. |\$ "
copybutton_prompt_is_regexp = True

myst_enable_extensions = ["attrs_inline", "colon_fence", "deflist", "dollarmath", "fieldlist"]
myst_heading_anchors = 4
math_numfig = True

autosummary_generate = True
autodoc_typehints = "none"  # numpydoc says the types, and says more
numpydoc_show_class_members = False  # the page of a class lists them
numpydoc_xref_param_type = False

sphinx_gallery_conf = {
    "examples_dirs": "examples",
    "gallery_dirs": "auto_examples",
    "abort_on_example_error": True,
    "download_all_examples": False,
    "remove_config_comments": True,
    "show_memory": False,
    "write_computation_times": False,
    "doc_module": ("skcostci",),
    "backreferences_dir": "generated/backreferences",
    "within_subsection_order": "order.TeachingOrder",
    "image_scrapers": ("scraper.described",),
    "reset_modules": ("matplotlib", "scraper.draw_for_phones"),
}

html_theme = "pydata_sphinx_theme"
html_title = "skcostci"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_show_sourcelink = False
html_theme_options = {
    "show_prev_next": True,
    "header_links_before_dropdown": 5,
    "navbar_end": ["theme-switcher"],
    "footer_start": ["copyright"],
    "footer_end": ["sphinx-version"],
    "secondary_sidebar_items": ["page-toc"],
}
html_copy_source = False
html_sidebars = {
    page: []
    for page in (
        "index",
        "start",
        "faq",
        "report",
        "coming_from",
        "agreement",
        "beside_others",
        "glossary",
        "references",
    )
}
