package import RelayClient

extension ChannelError {
  /// Error of every call behind `RtcEngine.destroy`.
  package static let destroyed = ChannelError(.notInitialised, "the engine was destroyed; make another")
}
