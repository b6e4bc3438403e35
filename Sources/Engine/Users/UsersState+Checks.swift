import AudioGraph
import Effects
import OpusCodec

/// Checks that come before the first change, so that no user is left half in the graph.
extension UsersState {
  func checkIsNew(_ key: UserKey) throws(EngineError) {
    guard remote[key] == nil else {
      throw EngineError(.invalidArgument, "user \(key.uid) is there already; choose another uid or remove it first")
    }
  }

  func checkHasNoLocalSource() throws(EngineError) {
    guard local == nil || isLocalSilent else {
      throw EngineError(
        .wrongState,
        "there is a local source already; replace it with local.replaceSource, or remove it with local.remove")
    }
  }

  /// Checks that a source has the pipeline's rate; otherwise its frames would play at another speed.
  func checkRate(of source: any AudioSource) throws(EngineError) {
    guard source.sampleRate == core.options.sampleRate else {
      throw EngineError(
        .invalidArgument,
        "a source of \(source.sampleRate) Hz does not fit a pipeline of \(core.options.sampleRate) Hz; make it with the "
          + "pipeline's rate, and it converts")
    }
  }

  /// Checks the number of sent channels.
  ///
  /// - Parameters:
  ///   - sent: Channels of the sent sound; nil for the source's.
  ///   - source: The source.
  func checkChannels(_ sent: Int?, of source: any AudioSource) throws(EngineError) {
    guard let sent, sent != source.channelCount, sent != 2 || source.channelCount != 1 else { return }
    throw EngineError(
      .invalidArgument, "a source of \(source.channelCount) channels cannot be sent as \(sent); only mono as stereo")
  }

  func checkPitch(of source: any AudioSource) throws(EngineError) {
    guard source.channelCount <= 2 else {
      throw EngineError(
        .invalidArgument, "the pitch of \(source.channelCount) channels cannot be changed, only of 1 or 2")
    }
  }

  func checkPanning(_ panning: Panning, of source: any AudioSource, _ uid: UInt32) throws(EngineError) {
    guard panning == .center || (core.listener.format.channelCount == 2 && source.channelCount <= 2) else {
      throw EngineError(
        .invalidArgument, "user \(uid) cannot be panned: that needs a mono or stereo source and stereo output")
    }
  }

  func check(_ user: UserOptions, of source: any AudioSource, _ uid: UInt32) throws {
    try checkRate(of: source)
    _ = try AudioFormat(sampleRate: core.options.sampleRate, channelCount: source.channelCount)
    try checkPanning(user.panning, of: source, uid)
    try GainNode(channelCount: 1).set(user.gain)
    if user.voicePitch != nil { try checkPitch(of: source) }
    try checkChannels(user.sentChannelCount, of: source)
    guard let codec = user.codec else { return }
    try codec.validate()
    guard core.options.sampleRate == OpusOptions.sampleRate, source.channelCount <= 2 else {
      throw EngineError(
        .invalidArgument, "the codec needs a pipeline of \(OpusOptions.sampleRate) Hz and a mono or stereo source")
    }
  }
}
