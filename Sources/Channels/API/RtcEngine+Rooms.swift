package import AudioGraph
import Engine
package import Platform
package import RelayClient

/// Parts of the engine for one-to-one calls: rooms that stay silent until an accept, and the thread of events.
extension RtcEngine {
  /// Name of the app.
  package var appName: String { appID.text }
  /// Clock of the pipeline.
  package var clock: any EngineClock { options.clock }
  /// Network, random numbers and calendar.
  package var environment: ChannelEnvironment { options.environment }
  /// Whether the engine has ended, and calls nobody any more.
  package var isDestroyed: Bool { loop.isStopped }

  /// Runs work on the thread of the delegates, in order with their calls.
  package func post(_ work: @escaping @Sendable () -> Void) { delivery.post(work) }

  /// Closes the microphone until a channel needs it.
  package func closeMicrophone() { updateMicrophone(closes: true) }

  /// Ends the preloads of a channel that no join will follow.
  package func endPreload(channel: String, user: RtcUser) {
    guard let name = ChannelName(channel), let identity = try? user.identity() else { return }
    try? loop.usePreloads { preload, now in
      if preload.channel == name, preload.user == identity { preload.end(nowNanoseconds: now) }
    }
  }

  /// Gives the pipeline a silent local user if it has none: an empty line would look like a broken one.
  ///
  /// - Returns: The silence, which ends with `isKept` false and the next change; nil if there is a local source.
  package func addSilence() -> SilentSource? {
    let silence = SilentSource(sampleRate: pipeline.options.sampleRate, isKept: true)
    return (try? pipeline.setLocalSource(silence)) == nil ? nil : silence
  }

  /// Joins a room as a further channel of the communication profile.
  ///
  /// - Parameters:
  ///   - room: Name of the room.
  ///   - token: Token of the room, or of any.
  ///   - user: The local user.
  ///   - isOpen: Whether the microphone is open and the room is heard; otherwise `RtcConnection.openRoom` does that.
  ///   - delegate: Receives the events of the room.
  ///   - completion: Called once the room is joined, or has failed.
  /// - Throws: As `joinEx`.
  package func joinRoom(
    _ room: String, token: String, user: UInt32, isOpen: Bool, delegate: any RtcEngineDelegate,
    completion: @escaping @Sendable (Result<JoinedChannel, ChannelError>) -> Void
  ) throws(ChannelError) -> RtcConnection {
    try joinEx(
      channel: room, token: token, user: .uid(user),
      options: ChannelMediaOptions(publishesAudio: true, role: .broadcaster, profile: .communication),
      delegate: delegate, isSilent: !isOpen, completion)
  }
}

extension RtcConnection {
  /// Opens the microphone for a room that was joined in silence, and hears it.
  package func openRoom() {
    let engine = engine
    guard endSilence(), let engine else { return }
    engine.openMicrophone()
    change(.muteLocalAudio) { settings in
      settings.isMuted = false
      settings.isEveryoneMuted = false
    }
  }
}
