"""A conversation over A2A: `python a2a_client.py http://127.0.0.1:8000/a2a/homes 전세금 5% 인상 가능해?`"""

import asyncio
import sys
import uuid

import httpx
from a2a.client import A2ACardResolver, ClientConfig, ClientFactory
from a2a.types.a2a_pb2 import Message, Part, Role, SendMessageRequest, TaskState


async def main(address: str, text: str) -> None:
    async with httpx.AsyncClient(timeout=120) as http:
        card = await A2ACardResolver(http, address).get_agent_card()
        sys.stdout.write(f"{card.name}: {card.description}\n")
        client = ClientFactory(ClientConfig(httpx_client=http)).create(card)
        question = Message(message_id=str(uuid.uuid4()), role=Role.ROLE_USER, parts=[Part(text=text)])
        async for event in client.send_message(SendMessageRequest(message=question)):
            if event.HasField("artifact_update") and event.artifact_update.last_chunk:
                sys.stdout.write(event.artifact_update.artifact.parts[0].text + "\n")
            elif event.HasField("status_update"):
                sys.stdout.write(TaskState.Name(event.status_update.status.state) + "\n")


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], " ".join(sys.argv[2:])))
