import Engine

extension OpusOptions {
  init(_ codec: CodecOptions) {
    self.init()
    if let bitRate = codec.bitRate { bitrate = bitRate }
    if let effort = codec.complexity { complexity = effort }
    packetDuration = codec.packetMilliseconds == 20 ? .milliseconds20 : .milliseconds10
    forwardErrorCorrection = codec.usesForwardErrorCorrection
  }
}
