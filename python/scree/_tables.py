"""Tables: of pandas where that is there."""

import base64
import html


def table_of(columns):
    """A pandas DataFrame, or the dict of arrays itself where there is no pandas."""
    try:
        import pandas
    except ImportError:
        return columns
    return pandas.DataFrame(columns)


def html_table(title, rows, png=None):
    """A table of names and values, below a picture: notebooks that show tables show no other form of the same object."""
    lines = "".join(f"<tr><th style='text-align:left'>{html.escape(str(k))}</th><td>{html.escape(str(v))}</td></tr>" for k, v in rows.items())
    picture = "" if png is None else f"<img src='data:image/png;base64,{base64.b64encode(png).decode()}'>"
    return f"{picture}<table><caption>{html.escape(title)}</caption>{lines}</table>"
