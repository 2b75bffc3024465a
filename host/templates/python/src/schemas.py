"""The three payloads: what was asked, what came back, what is wanted. A payload that does not fit is refused."""

ACTION = {
    "type": "object",
    "required": ["method", "path"],
    "additionalProperties": False,
    "properties": {
        "method": {"enum": ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"]},
        "path": {"type": "string", "description": "With its query, such as /items?page=2."},
        "body": {"description": "What was sent, if anything."},
    },
}

OBSERVATION = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "status": {"type": "integer", "minimum": 100, "maximum": 599, "description": "None where no answer came."},
        "body": {"description": "The answer as JSON, or its text where it is none."},
        "error": {"type": "string", "description": "Why no answer came, such as connection refused."},
        "items": {"type": "integer", "minimum": 0, "description": "How many items the agent holds by now."},
        "requests": {"type": "integer", "minimum": 0, "description": "How many requests it has sent by now."},
    },
}

EXPECTATIONS = {
    "type": "object",
    "additionalProperties": False,
    "properties": {
        "members": {"type": "array", "items": {"type": "string"}, "description": "What an answer must have."},
        "items": {"type": "integer", "minimum": 1, "description": "How many items are wanted."},
        "requests": {"type": "integer", "minimum": 1, "description": "How many requests they should take."},
    },
}
