@testable import Calls

/// States, reasons, events and errors that a test has seen.
struct SeenNumbers {
  var states: Set<CallState> = []
  var reasons: Set<CallStateReason> = []
  var events: Set<CallEvent> = []
  var errors: Set<CallErrorEvent> = []
  var types: Set<CallErrorType> = []

  mutating func note(_ output: CallOutput) {
    switch output {
    case .state(let state, let reason, _, _):
      states.insert(state)
      reasons.insert(reason)
    case .event(let event, _): events.insert(event)
    case .error(let event, let error):
      errors.insert(event)
      types.insert(error.type)
    case .complete(_, let error?): types.insert(error.type)
    default: break
    }
  }

  mutating func add(_ other: SeenNumbers) {
    states.formUnion(other.states)
    reasons.formUnion(other.reasons)
    events.formUnion(other.events)
    errors.formUnion(other.errors)
    types.formUnion(other.types)
  }
}
