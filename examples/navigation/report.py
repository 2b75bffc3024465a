"""Reports: figures as a table, as JSON and as a drawing."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from experiment import Plan, Record
from figures import Arm, Figures, Mean

# A chart in a drawing, in pixels: its size, and the room around what it shows.
WIDTH, HEIGHT, ROOM = 260, 170, 34
COLUMNS = 3


def table(figures: Sequence[Figures]) -> str:
    """Errors a run, and steps and success on layouts never seen before, with memory and without, as Markdown."""
    lines = [
        "| environment | arm | errors, run 1 | … last 3 of learning | … new layouts | steps, new layouts | success |",
        "|---|---|---|---|---|---|---|",
    ]
    for one in figures:
        for name, arm in (("with memory", one.with_memory), ("without", one.without)):
            success = f"{100 * arm.success.mean:.0f} %"
            cells = [one.environment, name, _shown(arm.first), _shown(arm.learned), _shown(arm.held_out)]
            lines.append(f"| {' | '.join([*cells, _shown(arm.steps), success])} |")
    return "\n".join(lines)


def as_json(plan: Plan, records: Sequence[Record], figures: Sequence[Figures]) -> str:
    """Everything, for whoever wants to look closer."""
    whole = {
        "plan": asdict(plan),
        "figures": [asdict(one) for one in figures],
        "runs": [asdict(record) for record in records],
    }
    return json.dumps(whole, indent=1) + "\n"


def drawing(figures: Sequence[Figures], learning: int) -> str:
    """The errors of each run in each environment, as SVG."""
    rows = -(-len(figures) // COLUMNS)
    charts = []
    for place, one in enumerate(figures):
        across, down = place % COLUMNS * WIDTH, place // COLUMNS * HEIGHT
        charts.append(f'<g transform="translate({across} {down})">{_chart(one, learning)}</g>')
    size = f'width="{COLUMNS * WIDTH}" height="{rows * HEIGHT + 20}"'
    legend = (
        f'<text x="{ROOM}" y="{rows * HEIGHT + 12}">errors a run · orange: without memory · blue: with memory '
        "· shaded: layouts never seen before · bands: 95 % intervals over seeds</text>"
    )
    style = 'font-family="sans-serif" font-size="10" fill="#333"'
    return f'<svg xmlns="http://www.w3.org/2000/svg" {size} {style}>{"".join(charts)}{legend}</svg>\n'


def _chart(one: Figures, learning: int) -> str:
    runs = len(one.with_memory.errors_by_run)
    most = max(mean.high for arm in (one.with_memory, one.without) for mean in arm.errors_by_run) or 1.0

    def x(number: float) -> float:
        return ROOM + (number - 1) / max(runs - 1, 1) * (WIDTH - 1.5 * ROOM)

    def y(errors: float) -> float:
        return HEIGHT - ROOM - errors / most * (HEIGHT - 1.8 * ROOM)

    def line(arm: Arm, colour: str) -> str:
        means = list(enumerate(arm.errors_by_run, 1))
        upper = [f"{x(number):.1f},{y(mean.high):.1f}" for number, mean in means]
        lower = [f"{x(number):.1f},{y(mean.low):.1f}" for number, mean in reversed(means)]
        middle = [f"{x(number):.1f},{y(mean.mean):.1f}" for number, mean in means]
        return (
            f'<polygon points="{" ".join(upper + lower)}" fill="{colour}" opacity="0.2"/>'
            f'<polyline points="{" ".join(middle)}" fill="none" stroke="{colour}" stroke-width="1.5"/>'
        )

    new = x(learning + 0.5)
    return "".join(
        [
            f'<path d="M{new:.1f} {y(most):.1f}H{x(runs):.1f}V{y(0):.1f}H{new:.1f}Z" fill="#eee"/>',
            line(one.without, "#d95f02"),
            line(one.with_memory, "#1f78b4"),
            f'<path d="M{x(1)} {y(most):.1f}V{y(0):.1f}H{x(runs):.1f}" fill="none" stroke="#999"/>',
            f'<text x="{x(1)}" y="{y(most) - 8:.1f}" font-weight="bold">{one.environment}</text>',
            f'<text x="{x(1) - 4}" y="{y(most) + 4:.1f}" text-anchor="end">{most:.0f}</text>',
            f'<text x="{x(1) - 4}" y="{y(0):.1f}" text-anchor="end">0</text>',
            f'<text x="{x(1)}" y="{y(0) + 14:.1f}">run 1</text>',
            f'<text x="{x(runs)}" y="{y(0) + 14:.1f}" text-anchor="end">{runs}</text>',
        ]
    )


def _shown(mean: Mean) -> str:
    return f"{mean.mean:.1f} ({mean.low:.1f}–{mean.high:.1f})"
