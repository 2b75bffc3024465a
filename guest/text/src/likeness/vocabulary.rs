//! What single words are to an idea: which frame it, which only say that something is done, which turn it round.
//!
//! Owns the lists, and nothing of how they are used. A word that is in none of them says what the idea is about.

use std::{
    collections::HashMap,
    hash::{BuildHasherDefault, DefaultHasher},
    sync::LazyLock,
};

use super::thesaurus;
use crate::lexicon::{self, Role};

/// Words that frame an idea: who has it, and how sure they are.
const FRAMES: &str = "\
    because too well also maybe perhaps possibly probably consider considering try trying attempt want need needs propose proposal suggest suggestion idea \
    hypothesis think like might worth going plan plans start somehow better best good nice directly simply instead actually \
    eventually basically currently now existing present current proper properly correctly \
    vielleicht sollten sollte konnte konnten man wir mal einfach lieber besser jeweils \
    peut etre doit doivent devrait faudrait il faut on nous devrions pourrait \
    quiza quizas tal vez debe deben debemos deberiamos deberia podriamos hay que conviene \
    talvez deveriamos devemos poderiamos deveria \
    moze mozna nalezy powinnismy warto trzeba \
    возможно может нужно надо стоит следует лучше можно \
    its our their one single his her them they it this that these those which who whom";

/// Words of place and manner that people exchange freely.
const LOOSE: &str = "\
    a an ao aos mehrere plusieurs varios varias vari несколько \
    over during through on in at by per of for with via using as when while upon around along \
    against about where there here all each every any both always whenever \
    im in ins auf bei zu zum zur der die das den dem des fur mit pro je alle jede jeden jedem jedes jeder \
    au aux du des le la les de dans sur pour par chaque tous toutes cote en et \
    el los las del al por para con en cada todos todas un una lo y \
    o os as do da dos das no na nos nas com em cada todos todas e \
    w we z ze na do dla po przy o kazdy kazda i \
    в во на для с со к ко по из от при через у о об и все каждый каждую";

/// Words that name a kind of thing, and may be left out.
const KINDS: &str = "\
    function method class module code component logic implementation system thing stuff part number data value dir directory file \
    step stage phase mode side level based approach strategy mechanism feature support handling operation problem issue result endpoint route expression statement teil teile stuck stucke dedicated dediee dedie way kind item object \
    across between within inside among format form policy algorithm way ways setting option usage time process processing routine procedure task job instance unit field attribute bit based \
    funktion methode klasse verfahren schritt fonction methode etape funcion metodo paso funcao etapa funkcja krok функция метод этап";

/// Words that only say that something is done.
const LIGHT: &str = "\
    use add introduce implement have make do perform apply create provide put set get take employ adopt utilize include let go give \
    run support ensure build keep trigger cause execute enable allow permit activate want need start begin become \
    verwenden nutzen einfuhren hinzufugen machen setzen ajouter utiliser faire mettre introduire usar utilizar anadir agregar hacer \
    poner introducir adicionar fazer colocar implementar dodac uzyc uzywac wprowadzic добавить использовать сделать ввести \
    erstellen anlegen einbauen aktivieren erlauben creer mettre activer permettre crear activar permitir criar ativar \
    creare aggiungere usare utilizzare impostare attivare создать включить разрешить";

/// Ideographs that only say that something is done, or become of it.
pub(super) const LIGHT_IDEOGRAPHS: &str = "使用采採取进進行设設置定做作成换換转轉化让讓实實现現加添引入应應该該需要可能想试試考虑慮建议議我们們候时時";

/// Words that turn the meaning round if one side alone has them, beside those that every reader knows.
const TURNING: &str =
    "own except unless until outside beyond above below only never always twice half double";

/// Words behind *to* that say what an idea is good for.
pub(super) const PURPOSES: &str = "\
    avoid prevent improve speed accelerate save stabilize stabilise simplify ensure make keep fit help fix reduce minimize minimise \
    maximize maximise increase ease facilitate protect guard guarantee boost cut handle eliminate catch detect get";

/// Endings of words behind *for* that say the same: *for readability*.
pub(super) const FOR_PURPOSES: [&str; 4] = ["ability", "ibility", "ness", "safety"];

/// *Write* says only that something is done to tests and the like: *write tests* is *add tests*, *read or write* is not.
pub(super) const WRITE: &str = "write schreiben ecrire escribir escrever scrivere написать";
pub(super) const WRITTEN: &str = "test tests unittest testfalle pruebas testes prove тесты doc docs documentation spec specs comments docstring docstrings";

/// Kinds of thing that say so little that another kind may stand in their place: *the results of*, *the endpoint*.
const VAGUE: &str = "\
    logic code problem issue result results endpoint route part parts thing stuff way approach mechanism system implementation feature \
    handling operation support teil teile stuck stucke";

pub(super) fn is_vague(word: &str) -> bool {
    is_one_of(VAGUE, word)
}

pub(super) fn is_one_of(list: &str, word: &str) -> bool {
    list.split_whitespace().any(|one| one == word)
}

/// What a word is to an idea that is in one of the lists.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Class {
    /// Frames the idea, or says where and how in words that people exchange freely.
    Frame,
    Turning,
    Light,
    Kind,
}

static CLASSES: LazyLock<HashMap<&'static str, Class, BuildHasherDefault<DefaultHasher>>> =
    LazyLock::new(|| {
        let lists = [
            (Class::Kind, KINDS),
            (Class::Light, LIGHT),
            (Class::Turning, TURNING),
            (Class::Frame, LOOSE),
            (Class::Frame, FRAMES),
        ];
        let words = |(class, list): (Class, &'static str)| {
            list.split_whitespace().map(move |word| (word, class))
        };
        lists.into_iter().flat_map(words).collect()
    });

pub(super) fn class(word: &str) -> Option<Class> {
    CLASSES.get(word).copied()
}

/// Words that turn an idea round in other languages, and names of requests, beside those that every reader knows.
const WEIGHTY: &str = "\
    post put patch avoid prevent rollback \
    entfernen loschen deaktivieren abschalten ausschalten verringern senken reduzieren erhohen sperren \
    supprimer enlever retirer effacer desactiver reduire diminuer augmenter interdire \
    eliminar borrar quitar suprimir desactivar reducir disminuir aumentar prohibir bloquear \
    remover excluir apagar desativar reduzir diminuir proibir \
    rimuovere togliere eliminare disattivare ridurre diminuire vietare \
    удалить убрать отключить выключить уменьшить снизить увеличить запретить \
    usunac wylaczyc zmniejszyc zwiekszyc";

pub(super) fn is_weighty(word: &str) -> bool {
    let is_weighty = |word: &str| {
        matches!(
            lexicon::role(word),
            Some(Role::Weighty | Role::WeightyMarker)
        )
    };
    let base = thesaurus::base(word);
    is_weighty(base) || is_weighty(&lexicon::canonical(base)) || is_one_of(WEIGHTY, base)
}
