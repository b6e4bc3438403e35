import Engine
package import OpusCodec

extension OpusOptions {
  /// Creates the options of a codec; nil means 10 ms packets of 32 kbit/s.
  package init(_ codec: CodecOptions?) {
    self.init(packetDuration: .milliseconds10)
    guard let codec else { return }
    if let bitRate = codec.bitRate { bitrate = bitRate }
    if let effort = codec.complexity { complexity = effort }
    packetDuration = codec.packetMilliseconds == 20 ? .milliseconds20 : .milliseconds10
    forwardErrorCorrection = codec.usesForwardErrorCorrection
  }
}
