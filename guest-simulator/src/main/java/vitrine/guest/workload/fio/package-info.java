/// fio's command lines, in a simulated guest.
///
/// ```
///   words ► FioCommandLine ► FioJob ──► FioRun ──► Lane, for each process
///              FioNames     Settings      │          ├──► Order ► Io ► Submitter ► GuestProcess
///                                         ▼          └──► Tally ► Flow ► Latency, Windows
///                                 FioText, FioJson
/// ```
///
/// Names, defaults and units are fio's, and so is the form of what is printed. An option that is
/// not done here is refused by its name: a result that leaves one out would be of another job.
///
/// It is not the real fio: `./vitrine mount` gives that one a share.
package vitrine.guest.workload.fio;
