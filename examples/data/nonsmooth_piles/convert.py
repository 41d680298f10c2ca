#!/usr/bin/python3
"""Writes pile_2048.txt, columns x y z radius in metres, from the VTK file of its source.

    examples/data/nonsmooth_piles/convert.py particles2048pile.vtu > examples/data/nonsmooth_piles/pile_2048.txt
"""
import sys
import xml.etree.ElementTree as ElementTree


def main():
    piece = ElementTree.parse(sys.argv[1]).getroot().find("UnstructuredGrid/Piece")
    places = piece.find("Points/DataArray").text.split()
    fields = {item.get("Name"): item.text.split() for item in piece.find("PointData")}
    print("x y z radius")
    for k, radius in enumerate(fields["radius"]):
        print(*(f"{float(word):.6g}" for word in (*places[3 * k:3 * k + 3], radius)))


if __name__ == "__main__":
    main()
