import Engine

extension ScriptAction {
  /// Applies the action to the pipeline of the user or listener that it concerns.
  ///
  /// - Parameters:
  ///   - pipeline: The pipeline.
  ///   - channels: Channels in which the listener hears the user; nil stands for the pipeline's own.
  /// - Throws: The error of a pipeline that refuses the action.
  func apply(to pipeline: AudioPipeline, in channels: [String?] = [nil]) throws {
    switch self {
    case .mute(let isMuted, _, nil): try pipeline.muteLocalAudioStream(isMuted)
    case .mute(let isMuted, let user, .some): try pipeline.muteRemoteAudioStream(user, isMuted)
    case .recordingVolume(let volume, _): try pipeline.adjustRecordingSignalVolume(volume)
    case .playbackVolume(let volume, _): try pipeline.adjustPlaybackSignalVolume(volume)
    case .userVolume(let volume, let user, _):
      for channel in channels { try pipeline.adjustUserPlaybackSignalVolume(user, volume, channelID: channel) }
    case .position(let pan, let gain, let user, _):
      for channel in channels { try pipeline.setRemoteVoicePosition(user, pan: pan, gain: gain, channelID: channel) }
    case .playEffect(let soundID, let effect, _): try pipeline.effects.play(soundID, effect)
    case .stopEffect(let soundID, _): try pipeline.effects.stop(soundID)
    case .startMusic(let music, _):
      try pipeline.music.start(
        music.path, loopback: music.isLoopback, replace: music.replacesVoice, repetition: music.repetition,
        from: music.start)
    case .pauseMusic: try pipeline.music.pause()
    case .resumeMusic: try pipeline.music.resume()
    case .stopMusic: try pipeline.music.stop()
    case .reportActiveSpeaker(let interval, _): try pipeline.enableAudioVolumeIndication(interval: interval)
    // The call itself handles these.
    case .network, .join, .role, .preload, .leave, .sendStreamMessage, .relayMedia, .pauseMediaRelay, .stopRelay,
      .startRelay, .stepRelayClock, .changeAddress, .prepare, .call, .accept, .reject, .hangup, .cancel:
      preconditionFailure("no single pipeline comes, goes or has a network")
    }
  }
}
