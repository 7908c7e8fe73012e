"""Reports: what is to be said of models, computed once, and written as text, HTML, a frame or a picture."""
