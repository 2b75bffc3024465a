//! Who needs whom: the paths and the calls with a dot that stand in the modules.

use std::collections::{BTreeMap, BTreeSet};

use proc_macro2::{Span, TokenStream, TokenTree};
use syn::{
    Block, Expr, FnArg, ImplItem, Item, Macro, Member, Pat, Signature, Stmt, Token, TraitItem,
    parse::Parser,
    punctuated::Punctuated,
    visit::{self, Visit},
};

use super::{
    source::{Place, Sources, is_of_tests, paths_of},
    types::{Definitions, Made, made_of, segments},
};

/// One module needs another, first here.
pub type Edges = BTreeMap<(usize, usize), String>;

/// All edges of the modules of some crates.
pub fn edges(sources: &Sources) -> Edges {
    let definitions = Definitions::of(sources);
    let mut edges = Edges::new();
    for (module, source) in sources.modules.iter().enumerate() {
        let mut walk = Walk {
            sources,
            definitions: &definitions,
            module,
            itself: None,
            locals: BTreeMap::new(),
            edges: &mut edges,
        };
        for item in &source.items {
            walk.item(item);
        }
    }
    edges
}

struct Walk<'a> {
    sources: &'a Sources,
    definitions: &'a Definitions,
    module: usize,
    /// What `Self` is.
    itself: Option<Made>,
    locals: BTreeMap<String, Made>,
    edges: &'a mut Edges,
}

/// Looks for paths wherever they stand; calls with a dot are the business of [`Walk::expression`].
struct Paths<'a, 'b>(&'b mut Walk<'a>);

impl<'ast> Visit<'ast> for Paths<'_, '_> {
    fn visit_attribute(&mut self, _: &'ast syn::Attribute) {}
    fn visit_visibility(&mut self, _: &'ast syn::Visibility) {}
    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        if !function.attrs.iter().any(is_of_tests) {
            visit::visit_impl_item_fn(self, function);
        }
    }
    fn visit_item_use(&mut self, item: &'ast syn::ItemUse) {
        let mut paths = Vec::new();
        paths_of(Vec::new(), &item.tree, &mut paths);
        for path in paths {
            self.0.path(&path, item.use_token.span);
        }
    }
    fn visit_path(&mut self, path: &'ast syn::Path) {
        self.0.path(&segments(path), path.segments[0].ident.span());
        visit::visit_path(self, path);
    }
    fn visit_macro(&mut self, inner: &'ast Macro) {
        match arguments(inner) {
            Some(expressions) => expressions.iter().for_each(|inner| self.visit_expr(inner)),
            None => self.0.tokens(inner.tokens.clone()),
        }
    }
}

/// What a macro is called with, if it is expressions.
fn arguments(inner: &Macro) -> Option<Vec<Expr>> {
    let listed = Punctuated::<Expr, Token![,]>::parse_terminated.parse2(inner.tokens.clone());
    Some(listed.ok()?.into_iter().collect())
}

impl<'a> Walk<'a> {
    fn item(&mut self, item: &Item) {
        Paths(self).visit_item(item);
        match item {
            Item::Fn(item) => self.function(&item.sig, &item.block),
            Item::Impl(item) => {
                self.itself = Some(self.made(&item.self_ty));
                for inner in &item.items {
                    if let ImplItem::Fn(function) = inner
                        && !function.attrs.iter().any(is_of_tests)
                    {
                        self.function(&function.sig, &function.block);
                    }
                }
                self.itself = None;
            }
            Item::Trait(item) => {
                for inner in &item.items {
                    if let TraitItem::Fn(function) = inner
                        && let Some(block) = &function.default
                    {
                        self.function(&function.sig, block);
                    }
                }
            }
            Item::Const(item) => drop(self.expression(&item.expr)),
            Item::Static(item) => drop(self.expression(&item.expr)),
            _ => {}
        }
    }

    fn function(&mut self, signature: &Signature, block: &Block) {
        self.locals.clear();
        for input in &signature.inputs {
            match input {
                FnArg::Receiver(_) => {
                    let itself = self.itself.clone().unwrap_or_default();
                    self.locals.insert("self".to_owned(), itself);
                }
                FnArg::Typed(typed) => {
                    let made = self.made(&typed.ty);
                    self.bind(&typed.pat, &made);
                }
            }
        }
        self.block(block);
    }

    /// What a type is made of here. A type's parameter has no methods but those of its traits.
    fn made(&self, ty: &syn::Type) -> Made {
        made_of(
            self.sources,
            self.module,
            ty,
            &BTreeSet::new(),
            self.itself.as_ref(),
        )
    }

    fn edge(&mut self, to: usize, span: Span, what: &str) {
        if to != self.module {
            let file = &self.sources.modules[self.module].file;
            let place = format!("{file}:{} {what}", span.start().line);
            self.edges.entry((self.module, to)).or_insert(place);
        }
    }

    /// A path: an edge to where it ends, and to where the method stands if it names one.
    fn path(&mut self, names: &[String], span: Span) {
        let Some(place) = self.sources.resolve(self.module, names) else {
            return;
        };
        let what = names.join("::");
        if let [of, name, ..] = place.rest.as_slice()
            && let Some(methods) = self.definitions.methods.get(name)
            && let Some(method) = methods.get(&(place.module, of.clone()))
        {
            self.edge(method.module, span, &what);
        }
        self.edge(place.module, span, &what);
    }

    /// What can't be read as expressions: paths and calls with a dot as they are spelled.
    fn tokens(&mut self, tokens: TokenStream) {
        let trees: Vec<TokenTree> = tokens.into_iter().collect();
        let mut at = 0;
        while at < trees.len() {
            match &trees[at] {
                TokenTree::Group(group) => self.tokens(group.stream()),
                TokenTree::Ident(first) => {
                    let mut names = vec![first.to_string()];
                    while let Some(TokenTree::Ident(next)) = trees.get(at + 3)
                        && trees[at + 1..at + 3]
                            .iter()
                            .all(|tree| tree.to_string() == ":")
                    {
                        names.push(next.to_string());
                        at += 3;
                    }
                    let after_dot = at > 0 && trees[at - 1].to_string() == ".";
                    if after_dot && matches!(trees.get(at + 1), Some(TokenTree::Group(_))) {
                        self.call(&Made::unknown(), &names[0], None, first.span());
                    } else if !after_dot {
                        self.path(&names, first.span());
                    }
                }
                _ => {}
            }
            at += 1;
        }
    }

    /// A call with a dot: an edge to each method of ours that it may mean, and what it answers.
    fn call(&mut self, receiver: &Made, name: &str, arguments: Option<usize>, span: Span) -> Made {
        let definitions: &Definitions = self.definitions;
        let meant = definitions.meant(self.sources, self.module, receiver, name, arguments);
        if meant.is_empty() {
            return receiver.clone();
        }
        let answers = meant.iter().map(|method| method.answer.clone());
        let mut answer = answers.fold(Made::foreign(), Made::and);
        for method in meant {
            self.edge(method.module, span, &format!(".{name}()"));
        }
        // A parameter of the receiver's type may come back.
        if !answer.known {
            answer.of.extend(receiver.of.iter().cloned());
        }
        answer.known = receiver.known;
        answer
    }

    /// What the function at a path says that its arguments are made of.
    fn takes(&self, path: &syn::Path) -> &'a [Made] {
        let definitions: &'a Definitions = self.definitions;
        let place = self.sources.resolve(self.module, &segments(path));
        let Some(Place { module, rest }) = place else {
            return &[];
        };
        let function = match rest.as_slice() {
            [name] => definitions.functions.get(&(module, name.clone())),
            _ => None,
        };
        function.map_or(&[], |function| &function.takes)
    }

    /// An argument; a closure gets what is handed to it.
    fn argument(&mut self, argument: &Expr, handed: &Made) -> Made {
        match argument {
            Expr::Closure(closure) => self.closure(closure, handed),
            argument => self.expression(argument),
        }
    }

    fn block(&mut self, block: &Block) -> Made {
        let around = self.locals.clone();
        let mut last = Made::foreign();
        for statement in &block.stmts {
            last = Made::foreign();
            match statement {
                Stmt::Local(local) => {
                    let value = match &local.init {
                        Some(init) => {
                            let value = self.expression(&init.expr);
                            if let Some((_, diverge)) = &init.diverge {
                                self.expression(diverge);
                            }
                            value
                        }
                        None => Made::unknown(),
                    };
                    self.bind(&local.pat, &value);
                }
                Stmt::Item(Item::Fn(item)) => {
                    let around = self.locals.clone();
                    self.function(&item.sig, &item.block);
                    self.locals = around;
                }
                Stmt::Item(_) => {}
                Stmt::Expr(expression, _) => last = self.expression(expression),
                Stmt::Macro(statement) => last = self.macro_call(&statement.mac),
            }
        }
        self.locals = around;
        last
    }

    fn macro_call(&mut self, inner: &Macro) -> Made {
        let Some(expressions) = arguments(inner) else {
            return Made::unknown();
        };
        let made = expressions
            .iter()
            .map(|inner| self.expression(inner))
            .collect::<Vec<_>>();
        made.into_iter().fold(Made::foreign(), Made::and)
    }

    /// Gives the names of a pattern what the value is made of.
    fn bind(&mut self, pattern: &Pat, value: &Made) {
        match pattern {
            Pat::Ident(ident) => {
                self.locals.insert(ident.ident.to_string(), value.clone());
                if let Some((_, inner)) = &ident.subpat {
                    self.bind(inner, value);
                }
            }
            Pat::Type(typed) => {
                let said = self.made(&typed.ty);
                let value = if said.known {
                    said
                } else {
                    said.and(value.clone())
                };
                self.bind(&typed.pat, &value);
            }
            Pat::Tuple(tuple) => tuple.elems.iter().for_each(|inner| self.bind(inner, value)),
            Pat::Slice(slice) => slice.elems.iter().for_each(|inner| self.bind(inner, value)),
            Pat::Or(or) => or.cases.iter().for_each(|inner| self.bind(inner, value)),
            Pat::Reference(inner) => self.bind(&inner.pat, value),
            Pat::Paren(inner) => self.bind(&inner.pat, value),
            Pat::TupleStruct(inner) => {
                for (index, pattern) in inner.elems.iter().enumerate() {
                    let part = self.part(&inner.path, &index.to_string(), value);
                    self.bind(pattern, &part);
                }
            }
            Pat::Struct(inner) => {
                for field in &inner.fields {
                    let Member::Named(name) = &field.member else {
                        continue;
                    };
                    let part = self.part(&inner.path, &name.to_string(), value);
                    self.bind(&field.pat, &part);
                }
            }
            _ => {}
        }
    }

    /// What a field of a struct or variant is made of, where the pattern says which.
    fn part(&self, path: &syn::Path, field: &str, value: &Made) -> Made {
        let place = self.sources.resolve(self.module, &segments(path));
        let part = place.and_then(|place| self.definitions.fields(&place)?.get(field).cloned());
        match part {
            Some(part) if part.known => part,
            _ => value.clone(),
        }
    }

    fn all<'e>(&mut self, expressions: impl IntoIterator<Item = &'e Expr>) -> Made {
        let mut made = Made::foreign();
        for expression in expressions {
            made = made.and(self.expression(expression));
        }
        made
    }

    /// Looks at the calls in an expression, and says what its value is made of.
    fn expression(&mut self, expression: &Expr) -> Made {
        match expression {
            Expr::Path(path) => self.value(&path.path),
            Expr::MethodCall(call) => {
                let receiver = self.expression(&call.receiver);
                let name = call.method.to_string();
                let ours = self.definitions.methods.contains_key(&name);
                let (sources, count) = (self.sources, Some(call.args.len()));
                let definitions: &Definitions = self.definitions;
                let meant = definitions.meant(sources, self.module, &receiver, &name, count);
                let takes: Vec<_> = meant.iter().map(|method| &method.takes).collect();
                let mut given = Made::foreign();
                for (index, argument) in call.args.iter().enumerate() {
                    // A closure gets what the method says; that of `map` or `filter` what is in the receiver.
                    let handed = match (takes.is_empty(), ours) {
                        (false, _) => takes.iter().fold(Made::foreign(), |made, takes| {
                            made.and(takes[index].clone())
                        }),
                        (true, true) => Made::unknown(),
                        (true, false) => receiver.clone(),
                    };
                    given = given.and(self.argument(argument, &handed));
                }
                if ["append", "extend", "insert", "push"].contains(&name.as_str()) {
                    self.put_into(&call.receiver, &given);
                }
                let span = call.method.span();
                let mut answer = self.call(&receiver, &name, Some(call.args.len()), span);
                for said in call.turbofish.iter().flat_map(|said| &said.args) {
                    if let syn::GenericArgument::Type(ty) = said {
                        let made = self.made(ty);
                        answer.of.extend(made.of);
                        answer.known = true;
                    }
                }
                // What closures and other arguments answer may come out again.
                if ours && !answer.of.is_empty() {
                    answer.of.extend(given.of);
                    return answer;
                }
                answer.and(given)
            }
            Expr::Call(call) => {
                let takes = match &*call.func {
                    Expr::Path(path) => self.takes(&path.path),
                    _ => &[],
                };
                let mut given = Made::foreign();
                for (index, argument) in call.args.iter().enumerate() {
                    let handed = takes.get(index).cloned().unwrap_or_default();
                    given = given.and(self.argument(argument, &handed));
                }
                let Expr::Path(path) = &*call.func else {
                    return self.expression(&call.func).and(given);
                };
                let names = segments(&path.path);
                let ours =
                    names[0] == "Self" || self.sources.resolve(self.module, &names).is_some();
                let answer = self.value(&path.path);
                match (ours, call.args.is_empty()) {
                    (true, _) if answer.known => answer,
                    // `Vec::new()`: what is put into it is not seen.
                    (false, true) => Made::unknown(),
                    (false, false) => given,
                    (true, _) => answer.and(given),
                }
            }
            Expr::Field(field) => {
                let value = self.expression(&field.base);
                let name = match &field.member {
                    Member::Named(name) => name.to_string(),
                    Member::Unnamed(index) => index.index.to_string(),
                };
                self.definitions.field(&value, &name)
            }
            Expr::Closure(closure) => self.closure(closure, &Made::unknown()),
            Expr::Macro(inner) => self.macro_call(&inner.mac),
            Expr::Struct(inner) => {
                self.all(inner.fields.iter().map(|field| &field.expr));
                if let Some(rest) = &inner.rest {
                    self.expression(rest);
                }
                let names = segments(&inner.path);
                if names[0] == "Self" {
                    return self.itself.clone().unwrap_or_default();
                }
                match self.sources.resolve(self.module, &names) {
                    Some(place) => Made::value_of(&place),
                    None => Made::foreign(),
                }
            }
            Expr::If(inner) => {
                let around = self.locals.clone();
                self.expression(&inner.cond);
                let then = self.block(&inner.then_branch);
                self.locals = around;
                match &inner.else_branch {
                    Some((_, otherwise)) => then.and(self.expression(otherwise)),
                    None => then,
                }
            }
            Expr::Let(inner) => {
                let value = self.expression(&inner.expr);
                self.bind(&inner.pat, &value);
                Made::foreign()
            }
            Expr::Match(inner) => {
                let value = self.expression(&inner.expr);
                let mut made = Made::foreign();
                for arm in &inner.arms {
                    let around = self.locals.clone();
                    self.bind(&arm.pat, &value);
                    if let Some((_, guard)) = &arm.guard {
                        self.expression(guard);
                    }
                    made = made.and(self.expression(&arm.body));
                    self.locals = around;
                }
                made
            }
            Expr::ForLoop(inner) => {
                let around = self.locals.clone();
                let value = self.expression(&inner.expr);
                self.bind(&inner.pat, &value);
                self.block(&inner.body);
                self.locals = around;
                Made::foreign()
            }
            Expr::While(inner) => {
                let around = self.locals.clone();
                self.expression(&inner.cond);
                self.block(&inner.body);
                self.locals = around;
                Made::foreign()
            }
            Expr::Loop(inner) => {
                self.block(&inner.body);
                Made::unknown()
            }
            Expr::Block(inner) => self.block(&inner.block),
            Expr::Unsafe(inner) => self.block(&inner.block),
            Expr::Try(inner) => self.expression(&inner.expr),
            Expr::Reference(inner) => self.expression(&inner.expr),
            Expr::Paren(inner) => self.expression(&inner.expr),
            Expr::Group(inner) => self.expression(&inner.expr),
            Expr::Unary(inner) => self.expression(&inner.expr),
            Expr::Cast(inner) => {
                self.expression(&inner.expr);
                self.made(&inner.ty)
            }
            Expr::Index(inner) => {
                self.expression(&inner.index);
                self.expression(&inner.expr)
            }
            Expr::Binary(inner) => self.all([&*inner.left, &*inner.right]),
            Expr::Assign(inner) => {
                self.expression(&inner.left);
                let value = self.expression(&inner.right);
                self.put_into(&inner.left, &value);
                Made::foreign()
            }
            Expr::Tuple(inner) => self.all(&inner.elems),
            Expr::Array(inner) => self.all(&inner.elems),
            Expr::Repeat(inner) => self.expression(&inner.expr),
            Expr::Range(inner) => self.all(inner.start.iter().chain(&inner.end).map(|end| &**end)),
            Expr::Return(inner) => self.all(inner.expr.iter().map(|inner| &**inner)),
            Expr::Break(inner) => self.all(inner.expr.iter().map(|inner| &**inner)),
            Expr::Lit(_) | Expr::Continue(_) => Made::foreign(),
            _ => Made::unknown(),
        }
    }

    /// A variable gets a value, or something is put into it.
    fn put_into(&mut self, variable: &Expr, value: &Made) {
        if let Expr::Path(path) = variable
            && let Some(local) = self.locals.get_mut(&segments(&path.path).join("::"))
        {
            local.of.extend(value.of.iter().cloned());
            local.known |= value.known;
        }
    }

    /// A closure: its arguments are what it is given to, as with `map` and `filter`.
    fn closure(&mut self, closure: &syn::ExprClosure, given: &Made) -> Made {
        let around = self.locals.clone();
        for input in &closure.inputs {
            self.bind(input, given);
        }
        let made = self.expression(&closure.body);
        self.locals = around;
        made
    }

    /// What a path is made of as a value; a function is what it answers.
    fn value(&self, path: &syn::Path) -> Made {
        let names = segments(path);
        if let [name] = names.as_slice()
            && let Some(local) = self.locals.get(name)
        {
            return local.clone();
        }
        if names[0] == "Self" {
            let itself = self.itself.clone().unwrap_or_default();
            let Some(methods) = names
                .get(1)
                .and_then(|name| self.definitions.methods.get(name))
            else {
                return itself;
            };
            let answers = itself.of.iter().filter_map(|of| methods.get(of));
            return answers.fold(Made::foreign(), |made, method| {
                made.and(method.answer.clone())
            });
        }
        let Some(place) = self.sources.resolve(self.module, &names) else {
            return Made::foreign();
        };
        let Some(first) = place.rest.first() else {
            return Made::foreign();
        };
        let at = (place.module, first.clone());
        if let Some(name) = place.rest.get(1)
            && let Some(method) = self
                .definitions
                .methods
                .get(name)
                .and_then(|methods| methods.get(&at))
        {
            return method.answer.clone();
        }
        let answer = self
            .definitions
            .functions
            .get(&at)
            .map(|function| &function.answer);
        let named = answer.or(self.definitions.named.get(&at));
        named.cloned().unwrap_or_else(|| Made::value_of(&place))
    }
}
