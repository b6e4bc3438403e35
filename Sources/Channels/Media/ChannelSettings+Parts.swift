import Engine
import RelayClient

extension ChannelSettings {
  /// Parts of the local sound that are published.
  var sentParts: SentParts {
    var parts = SentParts()
    if publishesMicrophone { parts.insert(.microphone) }
    if publishesCustomAudio { parts.insert(.pushed) }
    if publishesMixedFile { parts.insert(.music) }
    return parts
  }
}
