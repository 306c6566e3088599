"""The services of homes as the settings make them, for one command."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from madang.assistants.homes.services import HomesServices


def homes_services() -> "HomesServices":
    """Built for the configured data folder and keys."""
    from madang.assistants.homes.services import services
    from madang.bootstrap import deployment
    from madang.settings import Settings

    return services(deployment(Settings()))
