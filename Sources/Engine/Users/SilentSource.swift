import AudioGraph

/// Source of a local user without a voice, which sends music and effects alone. It keeps no run from its end.
final class SilentSource: AudioSource {
  let node: any AudioNode = SilenceNode(channelCount: 1)
  let channelCount = 1
  let sampleRate: Int

  init(sampleRate: Int) { self.sampleRate = sampleRate }

  var isReady: Bool { true }
  var readyTicks: Int { .max }
  var isExhausted: Bool { true }
  func requestMore() {}
  var endPosition: Int? { 0 }
}
