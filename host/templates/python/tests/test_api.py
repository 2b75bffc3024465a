"""What requests say on the four channels."""

import json
import unittest

from api import Api
from componentize_py_types import Err
from twiceshy_adapter import check, component
from wit_world.imports.types import Failure, Goal, PastStep, Step, Violation

GOAL = Goal("fetch the orders", Api.domain, json.dumps({"members": ["items"], "items": 40, "requests": 4}))


def assess(step, recent=()):
    return component(Api())().assess(GOAL, list(recent), step)


def get(observation, before=None):
    action = {"method": "GET", "path": "/orders?page=2"}
    return Step(json.dumps(before) if before else "", json.dumps(action), json.dumps(observation))


class Requests(unittest.TestCase):
    def test_a_page_of_items_is_progress(self):
        answer = {"status": 200, "body": {"items": []}, "items": 20, "requests": 2}
        feedback = assess(get(answer, before={"items": 10, "requests": 1}))
        self.assertEqual(feedback.action_text, "GET /orders?page=2")
        self.assertEqual(feedback.progress_signal, 0.25)
        self.assertEqual(feedback.efficiency_signal, 1.0)
        self.assertEqual(feedback.constraint_failure, [])

    def test_a_status_of_an_error_fails_in_the_words_of_the_api(self):
        feedback = assess(get({"status": 422, "body": {"error": "page must be a number"}}))
        self.assertEqual(feedback.hard_failure, Failure("status 422", "page must be a number"))

    def test_no_answer_fails_too(self):
        feedback = assess(get({"error": "connection refused"}))
        self.assertEqual(feedback.hard_failure, Failure("no answer", "connection refused"))

    def test_a_member_that_is_missing_is_named_with_what_is_there(self):
        feedback = assess(get({"status": 200, "body": {"data": []}}))
        self.assertEqual(feedback.constraint_failure, [Violation("the answer has the member items", "it has data")])

    def test_what_was_answered_is_not_fetched_again(self):
        step = get({"status": 200, "body": {"items": []}})
        again = assess(step, [PastStep(step, assess(step))])
        self.assertEqual(again.constraint_failure[0].condition, "nothing is fetched twice")

    def test_what_does_not_fit_is_refused_by_its_name(self):
        for observation, cause in [({"status": 42}, "observation.status"), ({"statsu": 200}, "statsu"), (200, "observation")]:
            with self.assertRaises(Err) as refused:
                assess(get(observation))
            self.assertIn(cause, refused.exception.value.value)

    def test_a_mistake_leaves_its_words(self):
        class Mistaken(Api):
            def assess(self, seen):
                return {}["no such key"]

        words = []
        with self.assertRaises(KeyError):
            component(Mistaken(), words.append)().assess(GOAL, [], get({"status": 200}))
        self.assertIn("KeyError: 'no such key' at ", words[0])

    def test_a_member_of_two_types_may_have_either(self):
        either = {"type": ["string", "null"]}
        for value in ["text", None]:
            check("note", either, value)
        with self.assertRaises(Err):
            check("note", either, 7)


if __name__ == "__main__":
    unittest.main()
