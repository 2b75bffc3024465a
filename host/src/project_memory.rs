//! The memory of a project with all that belongs to it, as the program uses it: where it is, its settings, its store, and
//! the model and the embedder that the settings name.
//!
//! Whoever embeds the memory begins here to share it with the program, or with [`MemoryComponent::over`] for a store of
//! their own.

use std::{path::Path, sync::Arc, time::Duration};

use twiceshy_wit::{host::Log, memory::Error};

use crate::{
    Adapters, BundledEmbedder, Cache, ChosenEmbedder, Home, Memory, MemoryBuilder, MemoryComponent,
    Ownership, PluggedModel, Project, ProjectArchive, ProjectError, ProjectStore, RemoteMemory,
    Settings, Standing,
};

/// The memory of a project, and what is needed to use it. Nothing is made before the first write.
#[derive(Debug, Clone)]
pub struct ProjectMemory {
    /// The user's own directory.
    pub home: Home,
    /// Where the memory is.
    pub project: Project,
    /// The user's settings with the project's over them.
    pub settings: Settings,
    store: ProjectStore,
    /// The service that the memory is behind, if it is behind one.
    service: Option<Arc<RemoteMemory>>,
}

impl ProjectMemory {
    /// The memory that the program uses in a directory: the one found upward from it, or else the one that the first
    /// write makes.
    ///
    /// # Errors
    /// If the settings can't be read.
    pub fn find(from: &Path) -> Result<Self, ProjectError> {
        Self::of(Project::of_directory(from, &Home::find())?)
    }

    /// The memory of a project.
    ///
    /// # Errors
    /// If the settings can't be read.
    pub fn of(project: Project) -> Result<Self, ProjectError> {
        Self::opened(project, false)
    }

    /// The same for whoever stands between two steps of an agent: a service that does not answer within `busy-timeout-ms` is
    /// done without.
    ///
    /// # Errors
    /// As [`of`](Self::of).
    pub fn between_steps(project: Project) -> Result<Self, ProjectError> {
        Self::opened(project, true)
    }

    fn opened(project: Project, is_between_steps: bool) -> Result<Self, ProjectError> {
        let home = Home::find();
        let settings = Settings::read(&home, &project)?;
        let store = ProjectStore::new(project.clone(), &settings).owned(Ownership::of(&home));
        let service = match project.address() {
            Some(address) => {
                let most = Duration::from_millis(settings.busy_timeout_ms.max(1));
                let service =
                    RemoteMemory::connect(address, &home).and_then(
                        |service| match is_between_steps {
                            true => service.within(most),
                            false => Ok(service),
                        },
                    );
                let wrong = |error: Error| ProjectError::Elsewhere(error.message().to_owned());
                Some(Arc::new(service.map_err(wrong)?))
            }
            None => None,
        };
        Ok(Self {
            home,
            project,
            settings,
            store,
            service,
        })
    }

    /// The store, the same one each time.
    pub fn store(&self) -> ProjectStore {
        self.store.clone()
    }

    /// Which memories are this user's own.
    pub fn ownership(&self) -> Ownership {
        Ownership::of(&self.home)
    }

    /// What the memory is to this user.
    pub fn standing(&self) -> Standing {
        self.ownership().standing(&self.project)
    }

    /// The adapters at hand.
    pub fn adapters(&self, cache: Cache) -> Adapters {
        Adapters::of(&self.home, &self.project, &self.settings, cache)
    }

    /// The model that the settings name.
    pub fn model(&self) -> Option<PluggedModel> {
        self.settings.model.clone().map(PluggedModel::new)
    }

    /// The model, if a step may wait for it.
    pub fn model_of_steps(&self) -> Option<PluggedModel> {
        let model = self.settings.model.as_ref();
        self.model()
            .filter(|_| model.is_some_and(|model| model.on_run))
    }

    /// The embedder that the settings name, or else the static model, unless they switch it off.
    pub fn embedder(&self) -> Option<ChosenEmbedder> {
        match &self.settings.embedding {
            Some(settings) => Some(ChosenEmbedder::of(settings)),
            None => self
                .settings
                .static_model
                .then_some(ChosenEmbedder::Bundled(BundledEmbedder)),
        }
    }

    /// The embedder, if a step may wait for it.
    pub fn embedder_of_steps(&self) -> Option<ChosenEmbedder> {
        let embedding = self.settings.embedding.as_ref();
        self.embedder()
            .filter(|_| embedding.is_none_or(|embedding| embedding.on_run))
    }

    /// A memory of a component that is loaded already, over the project's store and archive; behind a service, if the
    /// memory is.
    pub fn over(
        &self,
        component: &MemoryComponent,
        model: Option<PluggedModel>,
        embedder: Option<ChosenEmbedder>,
    ) -> MemoryBuilder {
        if let Some(service) = &self.service {
            // Which runs are open here is this machine's business; without a place for it each command is by itself.
            let _ = self.project.create();
            return component.behind(service.clone());
        }
        let mut memory = component
            .over(self.store())
            .archive(ProjectArchive::beside(self.store()));
        if let Some(model) = model {
            memory = memory.model(model);
        }
        if let Some(embedder) = embedder {
            memory = memory.embedder(embedder);
        }
        memory
    }

    /// The memory with the model and the embedder of the settings, which are asked only by a call that needs them.
    ///
    /// # Errors
    /// `denied` if the memory came from somebody else; what loading the component says.
    pub fn open(
        &self,
        cache: &Cache,
        log: impl Log + Send + Sync + 'static,
    ) -> Result<Memory, Error> {
        self.standing().check().map_err(Error::Denied)?;
        let component = MemoryComponent::bundled(cache)?;
        let memory = self.over(&component, self.model(), self.embedder());
        Ok(memory.log(log).build())
    }
}
