import CommandLineKit
import JSON

/// Outcomes of a command's jobs, in the order of its inputs.
struct JobOutcomes<Job, Value> {
  let jobs: [Job]
  /// Outcome of each job; nil if it did not begin.
  let outcomes: [Result<Value, CommandFailure>?]

  /// The only job and its outcome; nil if there were several.
  var only: (job: Job, outcome: Result<Value, CommandFailure>)? {
    guard jobs.count == 1, let outcome = outcomes[0] else { return nil }
    return (jobs[0], outcome)
  }

  /// Writes an object with all jobs; those that failed, or did not begin, have an error in place of their results.
  func write(_ json: inout JSONWriter, name: (Job) -> String, _ write: (inout JSONWriter, Value, Job) -> Void) {
    json.field("schema", 1)
    json.array("jobs") { json in
      for (job, outcome) in zip(jobs, outcomes) {
        switch outcome {
        case .success(let value): json.object { write(&$0, value, job) }
        case .failure(let failure): json.object { failure.write(&$0, of: name(job)) }
        case nil: json.object { Self.notBegun.write(&$0, of: name(job)) }
        }
      }
    }
  }

  /// Failure of jobs that did not begin before a signal.
  private static var notBegun: CommandFailure {
    CommandFailure(InterruptHandler.pending ?? .interrupted, "this was not begun any more, as the run was stopped")
  }

  /// Reports how many jobs have failed, as the last line on stderr, and returns the exit code of several jobs.
  func conclude(_ log: Log) -> ExitCode {
    let failed = outcomes.count { if case .failure = $0 { true } else { false } }
    let left = outcomes.count { $0 == nil }
    if left > 0 { log.warning("\(left) of \(jobs.count) inputs were not begun any more, as the run was stopped") }
    guard failed > 0 else { return .success }
    log.error("\(failed) of \(jobs.count) inputs failed")
    return .someFailed
  }
}
