//! The tasks for gridtool.

use super::{AS_IT_IS, Task};
use crate::tools::Tool;

const SALES: &str = "\
shop,region,amount
Arden,west,120
Birch,east,340
Cedar,west,80
Dale,north,410
Elm,east,95
Fern,west,260
Gale,north,150
";

const SHOPS: &str = "\
shop,manager
Arden,Ines
Birch,Jon
Cedar,Kim
Dale,Lea
Elm,Max
Fern,Noa
Gale,Oli
";

/// Filtering by number, sorting, the first rows, totals.
#[rustfmt::skip] // A table is read by its rows.
pub(super) static USUAL: Task = Task {
    name: "best regions",
    tool: Tool::Gridtool,
    text: "With gridtool: keep the sales above 100 of sales.csv in big.csv, sort them by amount, largest first, \
           in sorted.csv, put the first 4 of them in top.csv, add up big.csv by region in totals.csv, sort that \
           by total, largest first, in ranking.csv, and keep the regions with a total above 400 in best.csv.",
    files: &[("sales.csv", SALES)],
    intents: &[
        &[("filter", ""), ("table", "sales.csv"), ("column", "amount"), ("above", ""), (AS_IT_IS, "100"), ("into", ""), ("table", "big.csv")],
        &[("sort", ""), ("table", "big.csv"), ("sort-key", ""), ("column", "amount"), ("falling", ""), ("into", ""), ("table", "sorted.csv")],
        &[("limit", ""), ("table", "sorted.csv"), ("rows", "4"), ("into", ""), ("table", "top.csv")],
        &[("group", ""), ("table", "big.csv"), ("groups", ""), ("column", "region"), ("total", ""), ("column", "amount"), ("into", ""), ("table", "totals.csv")],
        &[("sort", ""), ("table", "totals.csv"), ("sort-key", ""), ("column", "total"), ("falling", ""), ("into", ""), ("table", "ranking.csv")],
        &[("filter", ""), ("table", "ranking.csv"), ("column", "total"), ("above", ""), (AS_IT_IS, "400"), ("into", ""), ("table", "best.csv")],
    ],
    expected: &[
        ("big.csv", "shop,region,amount\nArden,west,120\nBirch,east,340\nDale,north,410\nFern,west,260\nGale,north,150\n"),
        ("sorted.csv", "shop,region,amount\nDale,north,410\nBirch,east,340\nFern,west,260\nGale,north,150\nArden,west,120\n"),
        ("top.csv", "shop,region,amount\nDale,north,410\nBirch,east,340\nFern,west,260\nGale,north,150\n"),
        ("totals.csv", "region,total\nwest,380\neast,340\nnorth,560\n"),
        ("ranking.csv", "region,total\nnorth,560\nwest,380\neast,340\n"),
        ("best.csv", "region,total\nnorth,560\n"),
    ],
};

/// Filtering by text, a join, a choice of columns, means; sorting the other way.
#[rustfmt::skip] // A table is read by its rows.
pub(super) static OTHER: Task = Task {
    name: "western managers",
    tool: Tool::Gridtool,
    text: "With gridtool: keep the rows of sales.csv whose region is west in west.csv, join them with shops.csv by \
           shop in joined.csv, put only manager and amount of that in list.csv, sort it by amount, smallest first, \
           in sorted.csv, take the mean of the amounts of sales.csv by region in means.csv, and keep the regions \
           with a mean below 200 in weak.csv.",
    files: &[("sales.csv", SALES), ("shops.csv", SHOPS)],
    intents: &[
        &[("filter", ""), ("table", "sales.csv"), ("column", "region"), ("equals", ""), ("text", "west"), ("into", ""), ("table", "west.csv")],
        &[("join", ""), ("table", "west.csv"), ("second", ""), ("table", "shops.csv"), ("shared", ""), ("column", "shop"), ("into", ""), ("table", "joined.csv")],
        &[("columns", ""), ("table", "joined.csv"), ("column", "manager"), ("and", ""), ("column", "amount"), ("into", ""), ("table", "list.csv")],
        &[("sort", ""), ("table", "list.csv"), ("sort-key", ""), ("column", "amount"), ("rising", ""), ("into", ""), ("table", "sorted.csv")],
        &[("group", ""), ("table", "sales.csv"), ("groups", ""), ("column", "region"), ("mean", ""), ("column", "amount"), ("into", ""), ("table", "means.csv")],
        &[("filter", ""), ("table", "means.csv"), ("column", "mean"), ("below", ""), (AS_IT_IS, "200"), ("into", ""), ("table", "weak.csv")],
    ],
    expected: &[
        ("west.csv", "shop,region,amount\nArden,west,120\nCedar,west,80\nFern,west,260\n"),
        ("joined.csv", "shop,region,amount,manager\nArden,west,120,Ines\nCedar,west,80,Kim\nFern,west,260,Noa\n"),
        ("list.csv", "manager,amount\nInes,120\nKim,80\nNoa,260\n"),
        ("sorted.csv", "manager,amount\nKim,80\nInes,120\nNoa,260\n"),
        ("means.csv", "region,mean\nwest,153.33333333333334\neast,217.5\nnorth,280\n"),
        ("weak.csv", "region,mean\nwest,153.33333333333334\n"),
    ],
};
