/// What others have reported of virtio-fs, seen again: as a model, and measured.
///
/// ```
///   ExperimentCommand ──► Experiment, one of five ──► Row: reported │ model │ measured
///                              │                       │        │        │
///                              │             Table, Plot   Prediction   Bench ─► Where: guests
///                              └──► Counted ───────────────────┘
///                                   requests and system calls of one operation
/// ```
///
/// A figure always has its label. `reported` is what the source says, of a machine that is not
/// here. `model` is virtual time ([vitrine.guest.cost]) on a machine on which the first setting is
/// as fast as was reported: only how the others compare is predicted. `measured` is what was seen
/// here.
///
/// It does not try to be as fast as the machines of the sources: ratios are what can be compared.
package vitrine.guest.experiment;
