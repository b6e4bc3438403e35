extension ObserverRequest {
  /// Returns the request for an `AudioDataFrameObserver`, and reads its params once.
  public static func observer(
    _ observer: any AudioDataFrameObserver, mask: ObserverPosition = .standard
  ) -> ObserverRequest {
    var params: [ObserverPosition: AudioParams] = [:]
    params[.record] = observer.recordAudioParams
    params[.playback] = observer.playbackAudioParams
    params[.mixed] = observer.mixedAudioParams
    params[.earMonitoring] = observer.earMonitoringAudioParams
    params[.beforeMixing] = observer.beforeMixingAudioParams
    return ObserverRequest(
      mask: mask, params: params, writablePositions: [], isAsynchronous: false, capacity: 0,
      handler: { frame, source in dispatch(&frame, from: source, to: observer) })
  }

  private static func dispatch(
    _ frame: inout MutableAudioFrame, from source: FrameOrigin, to observer: any AudioDataFrameObserver
  ) {
    switch source.position {
    case .record: _ = observer.onRecordAudioFrame(&frame)
    case .playback: _ = observer.onPlaybackAudioFrame(&frame)
    case .mixed: _ = observer.onMixedAudioFrame(&frame)
    case .earMonitoring: _ = observer.onEarMonitoringAudioFrame(&frame)
    default:
      if observer.isMultipleChannelFrameWanted {
        _ = observer.onPlaybackAudioFrameBeforeMixingEx(&frame, channelID: source.channelID, uid: source.uid)
      } else {
        _ = observer.onPlaybackAudioFrameBeforeMixing(&frame, uid: source.uid)
      }
    }
  }
}
