//! What is known of types without a compiler: which types of ours stand in a type, a field or an answer.
//!
//! A type is the set of the types of ours that are in it: `Result<Vec<Head>, Error>` is `Head`. Too much is
//! counted that way rather than too little.

use std::collections::{BTreeMap, BTreeSet};

use syn::{
    Fields, FnArg, GenericParam, Generics, ImplItem, Item, ReturnType, Signature, TraitItem, Type,
    visit::{self, Visit},
};

use super::source::{Place, Sources, is_of_tests};

/// Names of methods that the standard library has as well. On a value of which nothing is known they mean
/// one of ours only where its type is named in the file.
const STANDARD: &str = "all any append as_bytes as_mut as_ref as_str bytes chars clear clone cloned cmp collect \
    contains copied count drain entry eq extend fetch filter find first fold get get_mut insert into into_iter \
    is_empty is_some iter iter_mut join keep keys last len lines map max merge min name next or parse partial_cmp \
    pop position push push_str read remove replace retain rev sort split start starts_with take to_owned \
    to_string trim truncate unwrap unwrap_or update values write zip";

/// The types of ours that a value may be made of.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Made {
    /// Whether these are all of them.
    pub known: bool,
    /// Each as its module and its name.
    pub of: BTreeSet<(usize, String)>,
}

impl Made {
    /// What is made of nothing of ours.
    pub fn foreign() -> Self {
        Self {
            known: true,
            of: BTreeSet::new(),
        }
    }

    /// What nothing is known of.
    pub fn unknown() -> Self {
        Self::default()
    }

    /// A value of a type of ours that is named.
    pub fn value_of(place: &Place) -> Self {
        let of = place.rest.first().map(|name| (place.module, name.clone()));
        Self {
            known: true,
            of: of.into_iter().collect(),
        }
    }

    pub fn and(mut self, other: Self) -> Self {
        self.known &= other.known;
        self.of.extend(other.of);
        self
    }
}

/// A function of ours: where its body stands and what it takes and answers.
pub struct Function {
    pub module: usize,
    /// How many arguments a call with a dot has.
    pub arguments: usize,
    pub answer: Made,
    /// What each argument is made of: of a closure, what it is given.
    pub takes: Vec<Made>,
    /// Of a trait: callers must have the trait in scope.
    pub of_trait: bool,
}

/// What the crates define.
#[derive(Default)]
pub struct Definitions {
    /// Functions that stand in a module, by module and name.
    pub functions: BTreeMap<(usize, String), Function>,
    /// Methods and associated functions, by name and then by type or trait.
    pub methods: BTreeMap<String, BTreeMap<(usize, String), Function>>,
    /// Fields, by the type (`Type` or `Type::Variant`) and the field.
    fields: BTreeMap<(usize, String), BTreeMap<String, Made>>,
    /// What a type stands for by `Deref`.
    targets: BTreeMap<(usize, String), Made>,
    /// What constants and other names for types are made of.
    pub named: BTreeMap<(usize, String), Made>,
}

impl Definitions {
    pub fn of(sources: &Sources) -> Self {
        let mut all = Self::default();
        for (module, source) in sources.modules.iter().enumerate() {
            for item in &source.items {
                all.add(sources, module, item);
            }
        }
        all
    }

    fn add(&mut self, sources: &Sources, module: usize, item: &Item) {
        let made = |ty: &Type, names: &BTreeSet<String>| made_of(sources, module, ty, names, None);
        match item {
            Item::Fn(item) => {
                let function = Function::of(sources, module, &item.sig, &BTreeSet::new(), None);
                let name = (module, item.sig.ident.to_string());
                self.functions.insert(name, function);
            }
            Item::Const(item) => {
                let made = made(&item.ty, &BTreeSet::new());
                self.named.insert((module, item.ident.to_string()), made);
            }
            Item::Static(item) => {
                let made = made(&item.ty, &BTreeSet::new());
                self.named.insert((module, item.ident.to_string()), made);
            }
            Item::Type(item) => {
                let made = made(&item.ty, &generics(&item.generics));
                self.named.insert((module, item.ident.to_string()), made);
            }
            Item::Struct(item) => {
                let names = generics(&item.generics);
                let fields = fields(&item.fields, |ty| made(ty, &names));
                self.fields.insert((module, item.ident.to_string()), fields);
            }
            Item::Enum(item) => {
                let names = generics(&item.generics);
                for variant in &item.variants {
                    let fields = fields(&variant.fields, |ty| made(ty, &names));
                    let name = format!("{}::{}", item.ident, variant.ident);
                    self.fields.insert((module, name), fields);
                }
            }
            Item::Trait(item) => {
                let owner = (module, item.ident.to_string());
                for of_trait in &item.items {
                    let TraitItem::Fn(function) = of_trait else {
                        continue;
                    };
                    let mut names = generics(&item.generics);
                    names.insert("Self".to_owned());
                    let mut made = Function::of(sources, module, &function.sig, &names, None);
                    made.of_trait = true;
                    self.add_method(&function.sig, owner.clone(), made);
                }
            }
            Item::Impl(item)
                if item
                    .trait_
                    .as_ref()
                    .is_some_and(|of| of.1.is_ident("Deref")) =>
            {
                let Some(owner) = own_type(sources, module, &item.self_ty) else {
                    return;
                };
                for inner in &item.items {
                    if let ImplItem::Type(target) = inner {
                        let made = made(&target.ty, &BTreeSet::new());
                        self.targets.insert(owner.clone(), made);
                    }
                }
            }
            Item::Impl(item) if item.trait_.is_none() => {
                let names = generics(&item.generics);
                let itself = made(&item.self_ty, &names);
                let Some(owner) = own_type(sources, module, &item.self_ty) else {
                    return;
                };
                for inner in &item.items {
                    let ImplItem::Fn(function) = inner else {
                        continue;
                    };
                    if function.attrs.iter().any(is_of_tests) {
                        continue;
                    }
                    let made = Function::of(sources, module, &function.sig, &names, Some(&itself));
                    self.add_method(&function.sig, owner.clone(), made);
                }
            }
            _ => {}
        }
    }

    fn add_method(&mut self, signature: &Signature, owner: (usize, String), function: Function) {
        let of_name = self.methods.entry(signature.ident.to_string()).or_default();
        of_name.insert(owner, function);
    }

    /// The methods of ours that a call with a dot may mean.
    pub fn meant(
        &self,
        sources: &Sources,
        module: usize,
        receiver: &Made,
        name: &str,
        arguments: Option<usize>,
    ) -> Vec<&Function> {
        let Some(methods) = self.methods.get(name) else {
            return Vec::new();
        };
        let own = self.with_targets(receiver);
        // A crate knows those that were read before it.
        let within = sources.last_of_crate(module);
        let mut fitting: Vec<_> = methods.iter().collect();
        fitting.retain(|(_, method)| {
            method.module <= within && arguments.is_none_or(|given| given == method.arguments)
        });
        let named = |owner: &(usize, String)| owner.0 == module || sources.names(module, &owner.1);
        let chosen = |choose: &dyn Fn(&(usize, String), &Function) -> bool| -> Vec<&Function> {
            let chosen = fitting
                .iter()
                .filter(|(owner, method)| choose(owner, method));
            chosen.map(|(_, method)| *method).collect()
        };
        let of_receiver = chosen(&|owner, _| own.contains(owner));
        if !of_receiver.is_empty() {
            return of_receiver;
        }
        let in_scope =
            chosen(&|owner, method| named(owner) && (method.of_trait || !receiver.known));
        let standard = STANDARD.split_whitespace().any(|standard| standard == name);
        if !in_scope.is_empty() || receiver.known || standard {
            return in_scope;
        }
        chosen(&|_, method| !method.of_trait)
    }

    /// The types whose methods a value has: its own, and those that it stands for.
    fn with_targets(&self, value: &Made) -> BTreeSet<(usize, String)> {
        let mut all = value.of.clone();
        let mut last = value.of.clone();
        while !last.is_empty() {
            let targets = last.iter().filter_map(|of| self.targets.get(of));
            last = targets
                .flat_map(|made| made.of.clone())
                .filter(|of| !all.contains(of))
                .collect();
            all.extend(last.iter().cloned());
        }
        all
    }

    /// What a field of a value is made of. A value that has no such field of ours is a tuple or a stranger's.
    pub fn field(&self, value: &Made, name: &str) -> Made {
        let found: Vec<&Made> = value
            .of
            .iter()
            .filter_map(|of| self.fields.get(of)?.get(name))
            .collect();
        if found.is_empty() {
            return value.clone();
        }
        let others = value.of.iter().filter(|of| {
            !self
                .fields
                .get(of)
                .is_some_and(|fields| fields.contains_key(name))
        });
        let mut made = Made {
            known: value.known,
            of: others.cloned().collect(),
        };
        for found in found {
            // A field that is made of a type's parameter is made of what stands beside the type.
            made.of.extend(found.of.iter().cloned());
        }
        made
    }

    /// What a struct or a variant of ours is made of, field by field.
    pub fn fields(&self, place: &Place) -> Option<&BTreeMap<String, Made>> {
        self.fields.get(&(place.module, place.rest.join("::")))
    }
}

fn fields(fields: &Fields, made: impl Fn(&Type) -> Made) -> BTreeMap<String, Made> {
    let named = fields.iter().enumerate().map(|(index, field)| {
        let name = field
            .ident
            .as_ref()
            .map_or(index.to_string(), ToString::to_string);
        (name, made(&field.ty))
    });
    named.collect()
}

/// The names of types that are parameters.
fn generics(generics: &Generics) -> BTreeSet<String> {
    let types = generics.params.iter().filter_map(|param| match param {
        GenericParam::Type(param) => Some(param.ident.to_string()),
        _ => None,
    });
    types.collect()
}

impl Function {
    fn of(
        sources: &Sources,
        module: usize,
        signature: &Signature,
        around: &BTreeSet<String>,
        itself: Option<&Made>,
    ) -> Self {
        let mut names = generics(&signature.generics);
        names.extend(around.iter().cloned());
        let made = |ty: &Type| made_of(sources, module, ty, &names, itself);
        let mut takes = Vec::new();
        for input in &signature.inputs {
            if let FnArg::Typed(typed) = input {
                takes.push(made(&typed.ty));
            }
        }
        let answer = match &signature.output {
            ReturnType::Default => Made::foreign(),
            ReturnType::Type(_, ty) => made(ty),
        };
        Self {
            module,
            arguments: takes.len(),
            answer,
            takes,
            of_trait: false,
        }
    }
}

/// The type that an `impl` is for, if it is ours.
fn own_type(sources: &Sources, module: usize, ty: &Type) -> Option<(usize, String)> {
    let Type::Path(path) = ty else { return None };
    let place = sources.resolve(module, &segments(&path.path))?;
    Some((place.module, place.rest.first()?.clone()))
}

/// What a type is made of, as it is written in a module.
pub fn made_of(
    sources: &Sources,
    module: usize,
    ty: &Type,
    parameters: &BTreeSet<String>,
    itself: Option<&Made>,
) -> Made {
    struct Looking<'a> {
        sources: &'a Sources,
        module: usize,
        parameters: &'a BTreeSet<String>,
        itself: Option<&'a Made>,
        made: Made,
    }
    impl<'ast> Visit<'ast> for Looking<'_> {
        fn visit_path(&mut self, path: &'ast syn::Path) {
            let names = segments(path);
            if names[0] == "Self" {
                if let Some(itself) = self.itself {
                    self.made = self.made.clone().and(itself.clone());
                } else {
                    self.made.known = false;
                }
            } else if self.parameters.contains(&names[0]) {
                self.made.known = false;
            } else if let Some(place) = self.sources.resolve(self.module, &names)
                && let Some(name) = place.rest.first()
            {
                self.made.of.insert((place.module, name.clone()));
            }
            visit::visit_path(self, path);
        }
        fn visit_type_infer(&mut self, _: &'ast syn::TypeInfer) {
            self.made.known = false;
        }
    }
    let made = Made::foreign();
    let mut looking = Looking {
        sources,
        module,
        parameters,
        itself,
        made,
    };
    looking.visit_type(ty);
    looking.made
}

/// The names of a path.
pub fn segments(path: &syn::Path) -> Vec<String> {
    path.segments
        .iter()
        .map(|segment| segment.ident.to_string())
        .collect()
}
