"""Korean text: numbers, money, areas, rates, people, dates, places, laws, cues and morphemes.

Every `find_xxx` is a pure function from a text to a list of `Parsed` in order of appearance, and never raises.
"""
