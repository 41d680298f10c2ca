"""Tables: of pandas where that is there."""

import html


def table_of(columns):
    """A pandas DataFrame, or the dict of arrays itself where there is no pandas."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def html_table(title, rows):
    lines = "".join(f"<tr><th style='text-align:left'>{html.escape(str(k))}</th><td>{html.escape(str(v))}</td></tr>" for k, v in rows.items())
    return f"<table><caption>{html.escape(title)}</caption>{lines}</table>"
