internal import Signalling

/// Users that are heard in other channels than their own.
extension RelayCore {
  /// Relays the audio of a user to other channels.
  func relayMedia(_ request: MediaRelayRequest, _ session: Session, _ now: Int) {
    refuse(session.connection, notInChannel(request.id, request.channel))
  }
}
