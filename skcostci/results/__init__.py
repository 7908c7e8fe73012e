"""Results: an estimate with its law, to be asked, printed and tabulated."""
