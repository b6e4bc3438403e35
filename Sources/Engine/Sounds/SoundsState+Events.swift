import Effects
import Playback

/// Events of music and effects.
extension SoundsState {
  /// Reports the news of every player. The graph does not change: a sweep removes the sounds that have ended.
  func collect() {
    var news: [(event: PlayerEvent, soundID: Int?)] = []
    for (soundID, entry) in effects.entries {
      let player = entry.chain.player
      while let event = player.takeEvent() {
        // No event reports the repetitions of an effect, and very many effects may repeat all the time.
        if event.kind != .passEnded || player.owesWarning { news.append((event, soundID)) }
      }
    }
    while let event = mixing.current?.chain.player.takeEvent() { news.append((event, nil)) }
    guard !news.isEmpty else { return }
    // Events at one sample are in the order of their numbers, and music is last. Events of one player
    // keep their order.
    let order = news.indices.sorted { one, other in
      let (first, second) = (news[one], news[other])
      return (first.event.position, first.soundID ?? .max, one) < (second.event.position, second.soundID ?? .max, other)
    }
    for index in order {
      if let warning = takeWarning(after: news[index].event, of: news[index].soundID) {
        core.post(.warning(PipelineWarning(.notFinite, warning)), at: news[index].event.position)
      }
      if let soundID = news[index].soundID {
        report(news[index].event, ofEffect: soundID)
      } else {
        reportMixing(news[index].event)
      }
    }
  }

  private func takeWarning(after event: PlayerEvent, of soundID: Int?) -> String? {
    switch event.kind {
    case .passEnded, .finished:
      let player = soundID.map { effects.entries[$0]?.chain.player } ?? mixing.current?.chain.player
      guard let warning = player?.takeWarning() else { return nil }
      return (soundID.map { "effect \($0)" } ?? "music") + ": " + warning
    case .started, .paused, .resumed, .stopped: return nil
    }
  }
}
