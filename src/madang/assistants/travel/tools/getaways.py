"""Small trips within the country for who has wishes but no city."""

from madang.assistants.travel.data.ways import Getaway, getaways, source_of, table
from madang.assistants.travel.tools.ways import hours, road
from madang.text.particles import with_object

_WORDS = {
    "onsen": ("온천", "목욕", "찜질"),
    "sea": ("바다", "해변", "바닷가", "sea", "beach"),
    "lake": ("호수", "강가", "lake"),
    "mountain": ("산도", "산이", "산으로", "숲", "mountain"),
    "quiet": ("조용", "사람없", "한적", "사람많은", "quiet"),
    "snow": ("눈구경", "snow"),
    "ski": ("스키", "ski"),
    "dog": ("강아지", "반려견", "애견", "콩이", "댕댕"),
    "temple": ("템플", "절에"),
    "train": ("기차", "ktx", "운전싫", "운전못", "train"),
    "elderly": ("할머니", "할멈", "어르신", "부모님", "무릎", "무릅"),
    "food": ("맛집", "먹으러"),
    "history": ("역사", "한옥", "유적"),
    "kids": ("아이", "애들"),
}
_NOT = {"sea": ("바다말고",), "mountain": ("산말고",)}
_SHOWN = 3


def wished(text: str) -> frozenset[str]:
    """What the words wish for."""
    plain = text.replace(" ", "").lower()
    return frozenset(
        tag
        for tag, words in _WORDS.items()
        if any(word in plain for word in words) and not any(word in plain for word in _NOT.get(tag, ()))
    )


def suggest_getaways(
    text: str, origin: str, *, limit: int | None = None, without: tuple[str, ...] = ()
) -> list[tuple[Getaway, int]]:
    """Up to three, best first, with the minutes there; none when nothing of what is wished is known."""
    tags = wished(text) - {"train"}
    by_train = "train" in wished(text)
    known = table("ways")["towns"]
    start = origin if origin in known else "서울"
    unwanted = {tag for tag, words in _NOT.items() if any(word in text.replace(" ", "") for word in words)}
    ranked = []
    for place in getaways():
        minutes = road(start, place.town)[1]
        if place.town == start or any(name in place.name for name in without) or place.tags & unwanted:
            continue
        if limit and minutes > limit:
            continue
        if not place.tags & (tags - {"quiet", "elderly", "kids", "dog"} or tags):
            continue
        if by_train and "train" not in place.tags:
            continue
        ranked.append((3 * len(place.tags & tags) - minutes / 60, place, minutes))
    ranked.sort(key=lambda row: (-row[0], row[1].name))
    return [(place, minutes) for _, place, minutes in ranked[:_SHOWN]]


def _way(place: Getaway, minutes: int, origin: str) -> str:
    train = table("ways")["train"].get(place.town) if origin == "서울" and "train" in place.tags else None
    by_train = f"기차로 약 {hours(train)}, " if train else ""
    return f"{origin}에서 {by_train}차로 약 {hours(minutes)}"


def told(found: list[tuple[Getaway, int]], origin: str) -> tuple[str, tuple[str, str]] | None:
    """The suggestions in words: the first one is recommended."""
    if not found:
        return None
    lines = [f"- **{place.name}** ({_way(place, minutes, origin)}): {place.text}" for place, minutes in found]
    head = f"{with_object(f'**{found[0][0].name}**')} 권해요. 정하시면 그곳으로 짤게요."
    return "\n".join([head, "", *lines]), source_of("getaways")
