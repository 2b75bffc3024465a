#!/usr/bin/env python3
"""Makes a set of SQL failures for the benchmark `field`: real errors of a real database (SQLite).

    recipes/field/sql.py [--seed N] [--count N] > sql.jsonl
    cargo run -p twiceshy-field -- --only sql --sql sql.jsonl

Two databases are made, a shop and a school. Somebody who works with them has misconceptions: of names (`customer.fullname`,
where the table is `customers` and the column `name`), of functions and syntax that other databases have (`CONCAT`, `TOP 5`,
`ILIKE`), of which table a column is in, of what a statement must have. A query is drawn, a misconception is made in it, and both
are run: kept is what the first prints, if the second works. Each line has `database`, `mistake` (one misconception), `wrong`,
`error` and `right`. In `part`: `learn` comes first, `ask` has the same misconceptions in other queries, and `never` has those
that were never learned, so that any hint there is wrong.
"""

import argparse
import json
import random
import re
import sqlite3

SHOP = """
CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT, joined TEXT, email TEXT UNIQUE);
CREATE TABLE products (id INTEGER PRIMARY KEY, title TEXT NOT NULL, price REAL, stock INTEGER, kind TEXT);
CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL, placed TEXT, state TEXT, amount REAL);
CREATE TABLE items (order_id INTEGER, product_id INTEGER, quantity INTEGER, PRIMARY KEY (order_id, product_id));
INSERT INTO customers VALUES (1, 'Ada', 'Oslo', '2021-02-03', 'ada@x.org'), (2, 'Bo', 'Rome', '2022-05-06', 'bo@x.org');
INSERT INTO products VALUES (1, 'lamp', 20.5, 3, 'home'), (2, 'desk', 120, 1, 'office');
INSERT INTO orders VALUES (1, 1, '2023-01-01', 'paid', 20.5), (2, 2, '2023-02-01', 'open', 141);
INSERT INTO items VALUES (1, 1, 1), (2, 1, 1), (2, 2, 1);
"""
SCHOOL = """
CREATE TABLE pupils (id INTEGER PRIMARY KEY, forename TEXT NOT NULL, surname TEXT, born TEXT, class_id INTEGER);
CREATE TABLE classes (id INTEGER PRIMARY KEY, label TEXT NOT NULL, room TEXT, teacher_id INTEGER);
CREATE TABLE teachers (id INTEGER PRIMARY KEY, surname TEXT NOT NULL, subject TEXT, salary REAL);
CREATE TABLE marks (pupil_id INTEGER, subject TEXT, mark REAL, given TEXT, PRIMARY KEY (pupil_id, subject, given));
INSERT INTO teachers VALUES (1, 'Curie', 'physics', 4000), (2, 'Noether', 'maths', 4200);
INSERT INTO classes VALUES (1, '7a', 'B12', 1), (2, '7b', 'B14', 2);
INSERT INTO pupils VALUES (1, 'Kim', 'Berg', '2010-04-05', 1), (2, 'Lou', 'Dahl', '2010-09-09', 2);
INSERT INTO marks VALUES (1, 'maths', 1.7, '2023-03-03'), (2, 'maths', 2.3, '2023-03-03');
"""

# For each database: tables with columns to select, columns to compare with a value, and joins.
SHAPES = {
    "shop": {
        "customers": (["name", "city", "joined", "email"], [("city", "'{}'", ["Oslo", "Rome", "Bern"]), ("id", "{}", [1, 2, 7])]),
        "products": (["title", "price", "stock", "kind"], [("price", "{}", [10, 50, 99]), ("kind", "'{}'", ["home", "office"])]),
        "orders": (["placed", "state", "amount", "customer_id"], [("state", "'{}'", ["paid", "open"]), ("amount", "{}", [5, 40, 100])]),
    },
    "school": {
        "pupils": (["forename", "surname", "born", "class_id"], [("class_id", "{}", [1, 2]), ("surname", "'{}'", ["Berg", "Dahl"])]),
        "classes": (["label", "room", "teacher_id"], [("room", "'{}'", ["B12", "B14"]), ("label", "'{}'", ["7a", "7b"])]),
        "marks": (["subject", "mark", "given", "pupil_id"], [("mark", "{}", [1.5, 2, 3]), ("subject", "'{}'", ["maths", "art"])]),
    },
}
JOINS = {
    "shop": [("orders", "customers", "orders.customer_id = customers.id"), ("items", "products", "items.product_id = products.id")],
    "school": [("pupils", "classes", "pupils.class_id = classes.id"), ("marks", "pupils", "marks.pupil_id = pupils.id")],
}

# Misconceptions about names: what is written for what is there.
COLUMNS = {
    "shop": {"name": ["fullname", "customer_name"], "title": ["product_name", "label"], "placed": ["order_date", "created_at"],
             "amount": ["total", "total_price"], "joined": ["signup_date", "created"], "stock": ["qty", "inventory"]},
    "school": {"forename": ["first_name", "given_name"], "surname": ["last_name", "family_name"], "born": ["birthday", "dob"],
               "label": ["class_name", "title"], "mark": ["grade", "score"], "room": ["location", "room_number"]},
}
TABLES = {
    "shop": {"customers": ["customer", "clients"], "products": ["product", "articles"], "orders": ["order_list", "purchases"]},
    "school": {"pupils": ["students", "pupil"], "classes": ["class", "courses"], "marks": ["grades", "mark_list"]},
}


def select(rng, database):
    """A query that works, with the table, columns and condition that it is made of."""
    table = rng.choice(sorted(SHAPES[database]))
    columns, tests = SHAPES[database][table]
    chosen = rng.sample(columns, rng.randint(1, len(columns)))
    column, form, values = rng.choice(tests)
    query = f"SELECT {', '.join(chosen)} FROM {table}"
    if rng.random() < 0.7:
        query += f" WHERE {column} {rng.choice(['=', '<>', '>'])} {form.format(rng.choice(values))}"
    if rng.random() < 0.5:
        query += f" ORDER BY {rng.choice(columns)}{rng.choice(['', ' DESC'])}"
    if rng.random() < 0.4:
        query += f" LIMIT {rng.randint(1, 20)}"
    return query


def renamed(query, right, wrong):
    return re.sub(rf"\b{right}\b", wrong, query)


def joined(rng, database):
    """A query over two tables, and the same with a column that both have, unqualified."""
    left, right, on = rng.choice(JOINS[database])
    shapes = SHAPES[database]
    first = rng.choice(shapes[right][0])
    query = f"SELECT {{}}, {right}.{first} FROM {left} JOIN {right} ON {on}"
    if rng.random() < 0.5:
        query += f" LIMIT {rng.randint(1, 20)}"
    return query, right


def dialect(rng, database):
    """Functions and syntax of other databases: a name for the misconception, the wrong query and the right one."""
    table = rng.choice(sorted(SHAPES[database]))
    columns, _ = SHAPES[database][table]
    a, b = rng.sample(columns, 2)
    n = rng.randint(2, 30)
    day = {"shop": ("orders", "placed"), "school": ("pupils", "born")}[database]
    return rng.choice([
        ("concat", f"SELECT CONCAT({a}, {b}) FROM {table}", f"SELECT {a} || {b} FROM {table}"),
        ("top", f"SELECT TOP {n} {a}, {b} FROM {table}", f"SELECT {a}, {b} FROM {table} LIMIT {n}"),
        ("year", f"SELECT YEAR({day[1]}), {rng.choice(SHAPES[database][day[0]][0])} FROM {day[0]}", None),
        ("now", f"SELECT {a}, NOW() FROM {table}", f"SELECT {a}, datetime('now') FROM {table}"),
        ("ilike", f"SELECT {a} FROM {table} WHERE {b} ILIKE '%{rng.choice('abcdeo')}%'", None),
        ("if", f"SELECT IF({a} > {n}, 1, 0) FROM {table}", f"SELECT IIF({a} > {n}, 1, 0) FROM {table}"),
        ("double-eq-in", f"SELECT {a} FROM {table} WHERE {b} IN {n}, {n + 1}", f"SELECT {a} FROM {table} WHERE {b} IN ({n}, {n + 1})"),
        ("group", f"SELECT {a} FROM {table} WHERE COUNT(*) > {n}", f"SELECT {a} FROM {table} GROUP BY {a} HAVING COUNT(*) > {n}"),
        ("left", f"SELECT LEFT({a}, {n}) FROM {table}", f"SELECT substr({a}, 1, {n}) FROM {table}"),
        ("describe", f"DESCRIBE {table}", f"PRAGMA table_info({table})"),
        ("show", "SHOW TABLES", "SELECT name FROM sqlite_master WHERE type = 'table'"),
        ("trailing-comma", f"SELECT {a}, {b}, FROM {table} LIMIT {n}", f"SELECT {a}, {b} FROM {table} LIMIT {n}"),
    ])


def mistaken(rng, database):
    """A misconception, the query that has it and the one that has not."""
    kind = rng.choice(["column", "column", "column", "table", "table", "ambiguous", "dialect", "dialect"])
    if kind == "dialect":
        name, wrong, right = dialect(rng, database)
        if name == "year":
            right = re.sub(r"YEAR\((\w+)\)", r"strftime('%Y', \1)", wrong)
        if name == "ilike":
            right = wrong.replace("ILIKE", "LIKE")
        return f"dialect {name}", wrong, right
    if kind == "ambiguous":
        query, table = joined(rng, database)
        both = "id" if database == "shop" or table == "classes" else "subject"
        return f"ambiguous {table}", query.format(both), query.format(f"{table}.{both}")
    right = select(rng, database)
    names = (COLUMNS if kind == "column" else TABLES)[database]
    present = [name for name in sorted(names) if re.search(rf"\b{name}\b", right)]
    if not present:
        return None
    name = rng.choice(present)
    wrong = rng.choice(names[name])
    return f"{kind} {wrong}", renamed(right, name, wrong), right


def outcome(script, query):
    connection = sqlite3.connect(":memory:")
    connection.executescript(script)
    try:
        connection.execute(query).fetchall()
        return None
    except sqlite3.Error as error:
        return f"{type(error).__name__}: {error}"
    finally:
        connection.close()


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--seed", type=int, default=1)
    arguments.add_argument("--count", type=int, default=240, help="failures to learn from, and as many to ask about")
    given = arguments.parse_args()
    rng = random.Random(given.seed)
    scripts = {"shop": SHOP, "school": SCHOOL}
    seen, found = set(), []
    while len(found) < 3 * given.count:
        database = rng.choice(sorted(scripts))
        made = mistaken(rng, database)
        if made is None or made[1] in seen:
            continue
        mistake, wrong, right = made
        error = outcome(scripts[database], wrong)
        if error is None or outcome(scripts[database], right) is not None:
            continue
        seen.add(wrong)
        found.append({"database": database, "mistake": mistake, "wrong": wrong, "error": error, "right": right})
    mistakes = sorted({one["mistake"] for one in found})
    rng.shuffle(mistakes)
    # A quarter of the misconceptions is never learned, in neither database.
    unknown = set(mistakes[: len(mistakes) // 4])
    learned, asked, never = [], [], []
    for one in found:
        if one["mistake"] in unknown:
            never.append(one)
        elif len(learned) < given.count:
            learned.append(one)
        elif any(past["mistake"] == one["mistake"] for past in learned):
            asked.append(one)
    for part, some in (("learn", learned), ("ask", asked[: given.count]), ("never", never[: given.count])):
        for one in some:
            print(json.dumps({"part": part, **one}))


main()
