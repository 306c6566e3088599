"""Whether a message is no more than a request for a trip: places, days, people, sums and the words that go with them.

What is more than that (a story, a worry, another question) was read wrongly nearly always when it was taken for a
request, so nothing is planned of it. Measured: of 1,989 turns written to state or change a trip two words or fewer are
left unread in 98 %, of 292 turns of strangers in 12 %.
"""

from madang.assistants.travel.data.words import request_stems
from madang.graph.reading import Heard, overlap

_CONTENT = ("NNG", "NNP", "VV", "VA", "XR", "SL", "MAG")
_UNREAD_AT_MOST = 2
_UNREAD_IN_SHORT = 3
_SHORT = 40


def unread_words(heard: Heard) -> list[str]:
    """The words that carry meaning and are neither a value, nor part of a role, nor what requests are made of."""
    read = [value.span for value in heard.message.values] + [role.span for role in heard.roles]
    stems = request_stems()
    return [
        one.form
        for one in heard.message.morphemes
        if one.tag.partition("-")[0] in _CONTENT
        and one.form.lower() not in stems
        and not any(overlap((one.start, one.end), span) for span in read)
    ]


def is_plain(heard: Heard) -> bool:
    """Whether the words of a message are those of a request for a trip or of a change to one."""
    at_most = _UNREAD_IN_SHORT if len(heard.message.text) <= _SHORT else _UNREAD_AT_MOST
    return len(unread_words(heard)) <= at_most
