/// The rules by which Linux' FUSE client decides, each a record of what is looked at.
///
/// ```
///   inputs ──► Rule ──► outcome
///               │
///               └──► Decisions           who watches hears of rule, inputs and outcome
/// ```
///
/// There is a file for each family: [vitrine.guest.kernel.rule.DataPath] for the way that data
/// takes, [vitrine.guest.kernel.rule.Killing] for set-ID bits and capabilities, and so on. Rules
/// are pure: no request is sent from here, nothing is remembered, and no rule knows of another.
package vitrine.guest.kernel.rule;
