"""The official Python SDK as a client of `twiceshy mcp`: the whole loop, with structured results checked by the SDK itself.

Usage: python python_client.py PROGRAM
"""

import asyncio
import os
import sys
import tempfile

from mcp import ClientSession, StdioServerParameters
from mcp.client.stdio import stdio_client


async def main(program: str) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        environment = {**os.environ, "TWICESHY_MEMORY": os.path.join(scratch, ".twiceshy")}
        server = StdioServerParameters(command=program, args=["mcp"], env=environment, cwd=scratch)
        async with stdio_client(server) as (read, write), ClientSession(read, write) as session:
            about = await session.initialize()
            tools = (await session.list_tools()).tools
            assert len(tools) == 10, tools

            async def call(name: str, **arguments: object) -> dict:
                result = await session.call_tool(name, arguments)
                failed = getattr(result, "is_error", getattr(result, "isError", None))
                assert not failed, result
                return getattr(result, "structured_content", getattr(result, "structuredContent", None))

            await call("start_task", task="sort the table")
            step = {"command": "frob sort --by -n a.csv", "exit_code": 2, "error": "frob: bad key '-n' for --by"}
            assert (await call("report_step", **step))["failed"]
            await call("report_step", command="frob sort --by +n a.csv", exit_code=0)
            finished = await call("finish_task", outcome="success")
            assert len(finished["learned"]) == 1, finished
            lesson = finished["learned"][0]["lesson"]
            await call("recall", task="sort another table")
            await call("why", lesson=lesson)
            await call("lessons")
            await call("get", ids=[lesson, finished["episode"]])
            await call("remember", text="the build needs node 22", kind="fact")
            await call("forget", id=lesson, reason="only a test")
            resources = (await session.list_resources()).resources
            for resource in resources:
                assert (await session.read_resource(resource.uri)).contents
            prompts = (await session.list_prompts()).prompts
            assert len(prompts) == 2, prompts
            version = getattr(about, "protocol_version", getattr(about, "protocolVersion", None))
            print(f"Python SDK: {len(tools)} tools, the whole loop, {len(resources)} resources, version {version}")


asyncio.run(main(sys.argv[1]))
