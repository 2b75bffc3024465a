//! A table: named columns, rows of text, and what gridtool can do to them.

/// Rows of equal length under their column names.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Table {
    columns: Vec<String>,
    pub(super) rows: Vec<Vec<String>>,
}

impl Table {
    /// Reads comma-separated values with a header; the number of the first malformed line if there is one.
    pub(super) fn parse(text: &str) -> Result<Self, usize> {
        let mut lines = text.lines();
        let cells = |line: &str| -> Vec<String> {
            line.split(',').map(|cell| cell.trim().to_owned()).collect()
        };
        let columns = cells(lines.next().unwrap_or_default());
        if columns.iter().any(String::is_empty) {
            return Err(1);
        }
        let mut rows = Vec::new();
        for (index, line) in lines.enumerate().filter(|(_, line)| !line.is_empty()) {
            let row = cells(line);
            if row.len() != columns.len() {
                return Err(index + 2);
            }
            rows.push(row);
        }
        Ok(Self { columns, rows })
    }

    /// The table as text, as it is read.
    pub(super) fn render(&self) -> String {
        let mut text = self.columns.join(",");
        text.push('\n');
        for row in &self.rows {
            text.push_str(&row.join(","));
            text.push('\n');
        }
        text
    }

    /// The place of a column.
    pub(super) fn place(&self, name: &str) -> Option<usize> {
        self.columns.iter().position(|column| column == name)
    }

    /// The rows that are wanted.
    pub(super) fn filtered(&self, wanted: impl Fn(&[String]) -> bool) -> Self {
        Self {
            columns: self.columns.clone(),
            rows: self
                .rows
                .iter()
                .filter(|row| wanted(row))
                .cloned()
                .collect(),
        }
    }

    /// Sorts by a column: numbers by value and before text, equal ones as they were.
    pub(super) fn sort(&mut self, place: usize, falling: bool) {
        let key = |row: &Vec<String>| row[place].parse::<f64>().ok();
        self.rows.sort_by(|one, other| {
            let order = match (key(one), key(other)) {
                (Some(one), Some(other)) => one.total_cmp(&other),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => one[place].cmp(&other[place]),
            };
            if falling { order.reverse() } else { order }
        });
    }

    /// One row for each group, in the order of their first rows.
    pub(super) fn grouped(&self, group: usize, of: usize, function: &str) -> Result<Self, String> {
        let mut groups: Vec<(String, f64, u32)> = Vec::new();
        for row in &self.rows {
            let value = super::number(&row[of])?;
            match groups.iter_mut().find(|(name, ..)| *name == row[group]) {
                Some((_, sum, count)) => {
                    *sum += value;
                    *count += 1;
                }
                None => groups.push((row[group].clone(), value, 1)),
            }
        }
        let result = |sum: f64, count: u32| match function {
            "mean" => sum / f64::from(count),
            _ => sum,
        };
        let rows = groups.into_iter();
        Ok(Self {
            columns: vec![self.columns[group].clone(), function.to_owned()],
            rows: rows
                .map(|(name, sum, count)| vec![name, result(sum, count).to_string()])
                .collect(),
        })
    }

    /// Rows of both tables that agree in a column.
    pub(super) fn joined(&self, other: &Self, here: usize, there: usize) -> Self {
        let without_key = |row: &[String]| -> Vec<String> {
            let cells = row.iter().enumerate();
            cells
                .filter(|(place, _)| *place != there)
                .map(|(_, cell)| cell.clone())
                .collect()
        };
        let mut columns = self.columns.clone();
        columns.extend(without_key(&other.columns));
        let mut rows = Vec::new();
        for row in &self.rows {
            for matching in other.rows.iter().filter(|found| found[there] == row[here]) {
                let mut row = row.clone();
                row.extend(without_key(matching));
                rows.push(row);
            }
        }
        Self { columns, rows }
    }

    /// Some of the columns.
    pub(super) fn projected(&self, places: &[usize]) -> Self {
        let pick = |row: &Vec<String>| -> Vec<String> {
            places.iter().map(|place| row[*place].clone()).collect()
        };
        Self {
            columns: pick(&self.columns),
            rows: self.rows.iter().map(pick).collect(),
        }
    }
}
