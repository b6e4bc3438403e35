import Platform

/// Source without sound, such as that of a user that sends music alone. It keeps no run from its end.
package final class SilentSource: AudioSource {
  package let node: any AudioNode = SilenceNode(channelCount: 1)
  package let channelCount = 1
  package let sampleRate: Int
  private let kept: Guarded<Bool>

  /// - Parameter isKept: Whether the user that sends it stays without music, too.
  package init(sampleRate: Int, isKept: Bool = false) {
    self.sampleRate = sampleRate
    kept = Guarded(isKept)
  }

  package var isKept: Bool {
    get { kept.withLock { $0 } }
    set { kept.withLock { $0 = newValue } }
  }

  package var isReady: Bool { true }
  package var readyTicks: Int { .max }
  package var isExhausted: Bool { true }
  package func requestMore() {}
  package var endPosition: Int? { 0 }
}

extension AudioSource {
  /// Whether the source is a silence that nobody keeps.
  package var isSpareSilence: Bool { (self as? SilentSource)?.isKept == false }
}
