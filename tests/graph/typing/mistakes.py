"""Agents with mistakes in them, each of which the type checker must find where it is marked. Never imported."""

from typing import Annotated

from madang.graph import (
    Argument,
    Assistant,
    AssistantState,
    At,
    Context,
    Reads,
    TurnContext,
    Understanding,
    Writes,
    agent,
)


class Fares:
    def cheapest(self, city: str) -> int:
        return len(city)


class Request(Reads):
    city: str
    nights: int | None
    hotels: Annotated[list[str], At("results.search.hotels")]
    top: Argument[int] = 3


class Result(Writes):
    flights: list[str]
    price: int


class Trip(AssistantState, Result, total=False):
    city: str
    nights: int


@agent(task="fine")
async def fine(trip: Request, ctx: Context[Fares]) -> Result:
    return {"flights": [trip.city, *trip.hotels], "price": ctx.services.cheapest(trip.city) * trip.top}


@agent(task="a field that was not declared")
async def undeclared_read(trip: Request, ctx: Context[Fares]) -> Result:
    return {"flights": [trip.town], "price": 1}  # E: "Request" has no attribute "town"


@agent(task="a field of another type")
async def wrong_type_read(trip: Request, ctx: Context[Fares]) -> Result:
    return {"flights": [], "price": trip.nights + 1}  # E: Unsupported operand types


@agent(task="a write that was not declared")
async def undeclared_write(trip: Request, ctx: Context[Fares]) -> Result:
    return {"flights": [], "price": 1, "hotels": []}  # E: Extra key "hotels"


@agent(task="a write of another type")
async def wrong_type_write(trip: Request, ctx: Context[Fares]) -> Result:
    return {"flights": trip.city, "price": 1}  # E: Incompatible types (expression has type "str"


@agent(task="a write that is missing")
async def missing_write(trip: Request, ctx: Context[Fares]) -> Result:
    return {"flights": []}  # E: Missing key "price"


@agent(task="what is read is read-only")
async def changes_what_it_reads(trip: Request, ctx: Context[Fares]) -> Result:
    trip.city = "서울"  # E: Property "city" defined in "Request" is read-only
    return {"flights": [], "price": 1}


@agent(task="a service that is not there")
async def wrong_service(trip: Request, ctx: Context[Fares]) -> Result:
    return {"flights": [], "price": ctx.services.dearest(trip.city)}  # E: "Fares" has no attribute "dearest"


@agent(task="a service of another type")
async def wrong_service_type(trip: Request, ctx: Context[Fares]) -> Result:
    return {"flights": [], "price": ctx.services.cheapest(trip.nights)}  # E: Argument 1 to "cheapest"


@agent(task="fields as parameters")
async def wrong_parameter(city: str, nights: int) -> Result:
    return {"flights": [city], "price": nights.upper()}  # E: "int" has no attribute "upper"


class Other:
    pass


@agent(task="another assistant's services")
async def other_services(trip: Request, ctx: Context[Other]) -> Result:
    return {"flights": [], "price": 1}


async def understand(state: Trip, ctx: TurnContext[Fares]) -> Understanding:
    return Understanding(update={"city": state["town"]})  # E: TypedDict "Trip" has no key "town"


async def respond(state: Trip, ctx: TurnContext[Fares]) -> int:
    return 1


Assistant("trip", "여행", Trip, [fine, other_services], understand, respond)  # E: Argument 6 to "Assistant"
