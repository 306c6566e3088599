"""Regions and countries, asked down to a city."""

import re

from madang.assistants.travel.understanding.slots.city_names import Mention, region_cities
from madang.assistants.travel.understanding.slots.city_roles import DROP_AFTER, TOPIC, TOWARDS, current_cities
from madang.assistants.travel.understanding.slots.slot_update import Draft, SlotQuestion
from madang.text.particles import with_companion, with_direction


def choose_between(draft: Draft, city: Mention, region: Mention) -> None:
    choices = (city.name, *(name for name in region_cities()[region.name] if name != city.name))
    asked = f"{with_companion(city.name)} {region.name} 중 어디로 갈까요? {', '.join(choices[:6])} 중에서 골라 주세요."
    draft.questions.append(SlotQuestion("destination", asked, "ambiguous", choices))


def region_meant(text: str, regions: list[Mention]) -> Mention:
    """유럽은 멀고 동남아로: the one said with a direction, else the first that isn't set aside."""
    towards = [region for region in regions if TOWARDS.match(text, region.end)]
    kept = [region for region in regions if not TOPIC.match(text, region.end)]
    return (towards or kept or regions)[0]


def narrow(text: str, draft: Draft, region: Mention) -> None:
    if DROP_AFTER.match(text, region.end):
        return
    choices = tuple(region_cities()[region.name])
    current = current_cities(draft)
    if current and (set(current) & set(choices) or not re.search(r"바꿔|바꾸|변경|말고|갈래|가고", text)):
        return
    if len(choices) == 1:
        asked = f"{region.name}에서는 {with_direction(choices[0])} 잡을까요?"
    else:
        asked = f"{region.name} 어느 도시로 갈까요? {', '.join(choices[:6])} 중에서 골라 주세요."
    draft.questions.append(SlotQuestion("destination", asked, "narrow", choices))
