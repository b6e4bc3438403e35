public import AudioGraph
package import Effects
import FrameObservers
public import MediaStreams
import OpusCodec

extension AudioPipeline {
  /// Adds a user with its own uplink here: RECORD, the codec if requested, then the path to the listener.
  ///
  /// - Throws: `.invalidArgument` if the user is there already or its format does not fit.
  public func addSpeaker(_ uid: UInt32, from source: any AudioSource, options: UserOptions = UserOptions())
    throws(EngineError)
  {
    try addUser(uid, from: source, options: options, hasUplink: true)
  }

  /// Adds a user with frames that arrive as they were sent: BEFORE MIXING, then the path to the listener.
  ///
  /// - Throws: `.invalidArgument` if the user is there already or its format does not fit.
  public func addRemoteUser(_ uid: UInt32, from source: any AudioSource, options: UserOptions = UserOptions())
    throws(EngineError)
  {
    try addUser(uid, from: source, options: options, hasUplink: false)
  }

  /// Adds a user with packets that arrive over a network: jitter buffer and decoder, BEFORE MIXING, then the path to
  /// the listener. Its packets are decoded only while somebody hears it.
  ///
  /// - Returns: The source that receives the packets.
  /// - Throws: `.invalidArgument` as `addSpeaker`, and for a pipeline that is not at 48 kHz.
  @discardableResult
  public func addRemoteUser(
    _ uid: UInt32, receiving receiver: JitterBufferOptions, options: UserOptions = UserOptions()
  ) throws(EngineError) -> RTPSource {
    var receiver = receiver
    receiver.sourceID = uid
    let source = try RTPSource(receiver, of: self)
    try addRemoteUser(uid, from: source, options: options)
    return source
  }

  /// Uids of the remote users in the pipeline's own channel.
  package var userIDs: Set<UInt32> {
    lock.withLock { _ in Set(userStates.order.filter { $0.channelID == options.channelID }.map(\.uid)) }
  }

  /// Switches all audio on or off: while it is off, nobody is heard, recorded or mixed. On at first.
  public func setAudioEnabled(_ isEnabled: Bool) throws(EngineError) {
    try edit("audio cannot be switched") {
      userStates.isAudioEnabled = isEnabled
      try userStates.reconcile()
    }
  }

  /// Sets the level of everything that the listener hears.
  package func setPlayback(_ volume: Volume) {
    if volume.percent > 100 { core.listener.playbackLimiter.isArmed = true }
    core.listener.playbackGain.set(volume)
    reconcileListening()
  }

  private func addUser(
    _ uid: UInt32, from source: any AudioSource, options user: UserOptions, hasUplink: Bool, call: String = #function
  ) throws(EngineError) {
    try edit("user \(uid) cannot be added", call: call) {
      try core.checkNotFinished()
      try userStates.add(uid, from: source, options: user, hasUplink: hasUplink)
    }
  }

  /// Returns the ledger of the samples of a speaker's codec; nil if it has none. After the last tick.
  package func codecEdge(of uid: UInt32, named name: String) -> LedgerEdge? {
    lock.withLock { _ in userStates.remote[userStates.key(uid)]?.codec?.node.edge(named: name) }
  }
}
