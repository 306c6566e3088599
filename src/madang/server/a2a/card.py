"""The card of each assistant: who it is, what it can be asked, where it is spoken to."""

from importlib.metadata import version

from a2a.types.a2a_pb2 import (
    AgentCapabilities,
    AgentCard,
    AgentInterface,
    AgentProvider,
    AgentSkill,
    HTTPAuthSecurityScheme,
    SecurityRequirement,
    SecurityScheme,
    StringList,
)

from madang.runtime.served_graph import ServedGraph

# The first one is what a client prefers; the second is what clients of the earlier protocol speak.
PROTOCOLS = ("1.0", "0.3")
BEARER = "bearer"


def agent_card(served: ServedGraph, base: str, *, credentials: bool) -> AgentCard:
    """The card of a served graph; `base` is the server's own address."""
    about = served.about
    url = f"{base.rstrip('/')}/a2a/{served.name}"
    card = AgentCard(
        name=about.title,
        description=about.description or about.title,
        version=version("madang"),
        provider=AgentProvider(organization="Madang", url=base),
        supported_interfaces=[
            AgentInterface(url=url, protocol_binding="JSONRPC", protocol_version=one) for one in PROTOCOLS
        ],
        capabilities=AgentCapabilities(streaming=True, push_notifications=False),
        default_input_modes=["text/plain"],
        default_output_modes=["text/plain", "application/json"],
        skills=[
            AgentSkill(
                id=served.name,
                name=about.title,
                description=about.description or about.title,
                tags=[served.name],
                examples=list(about.examples),
            )
        ],
    )
    if credentials:
        scheme = SecurityScheme(http_auth_security_scheme=HTTPAuthSecurityScheme(scheme=BEARER))
        card.security_schemes[BEARER].CopyFrom(scheme)
        card.security_requirements.append(SecurityRequirement(schemes={BEARER: StringList()}))
    return card
