/// What went wrong in the field: reports about virtio-fs daemons and servers like them.
///
/// ```
/// docs/field-reports.md ── each row names a test ──▶ the test, whose comment names the report
///        ▲                                              (here, or wherever it belongs)
///        └────────── FieldReportTest holds them together
/// ```
///
/// Here are the tests that need programs on a real kernel. It does *not* keep the others: a report
/// about locks is tested beside the locks.
package vitrine.conformance.field;
