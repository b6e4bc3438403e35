/// Source without sound, such as that of a user that sends music alone. It keeps no run from its end.
package final class SilentSource: AudioSource {
  package let node: any AudioNode = SilenceNode(channelCount: 1)
  package let channelCount = 1
  package let sampleRate: Int

  package init(sampleRate: Int) { self.sampleRate = sampleRate }

  package var isReady: Bool { true }
  package var readyTicks: Int { .max }
  package var isExhausted: Bool { true }
  package func requestMore() {}
  package var endPosition: Int? { 0 }
}
