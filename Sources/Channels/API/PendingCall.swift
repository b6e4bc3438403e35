import Signalling

/// Call that waits for the relay's answer, and the closure that gets it; findings are those of a diagnosis.
struct PendingCall: Sendable {
  let call: ApiCall
  let completion: (@Sendable (Result<[DiagnosisFinding], ChannelError>) -> Void)?

  init(_ call: ApiCall, findings completion: (@Sendable (Result<[DiagnosisFinding], ChannelError>) -> Void)?) {
    self.call = call
    self.completion = completion
  }

  init(_ call: ApiCall, _ completion: (@Sendable (Result<Void, ChannelError>) -> Void)?) {
    self.call = call
    guard let completion else {
      self.completion = nil
      return
    }
    self.completion = { result in completion(result.map { _ in () }) }
  }
}
