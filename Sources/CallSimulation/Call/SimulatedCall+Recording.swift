import Engine
package import Signalling

extension SimulatedCall {
  /// Starts the files of one participant; 0 is the silent listener.
  func record(_ participant: UInt32, in pipeline: AudioPipeline) throws {
    let options = RecordingOptions(sampleFormat: outputs.sampleFormat, overwrite: outputs.overwrite)
    guard participant != 0 else {
      // MIXED is PLAYBACK + sound that plays for this participant alone.
      return try pipeline.startAudioRecording(outputs.mixedPath!, position: .mixed, options: options)
    }
    guard let folder = outputs.eachFolder else { return }
    try pipeline.startAudioRecording("\(folder)/\(participant).wav", position: .playback, options: options)
    if script.listenersWithoutSpeakers.contains(participant) {
      try pipeline.startAudioRecording("\(folder)/\(participant)_mixed.wav", position: .mixed, options: options)
    }
    for voice in voiceFiles(of: participant) {
      let channel = voice.channel == CallScript.channel ? nil : voice.channel.text
      try pipeline.startAudioRecording(
        voice.path, position: .user(voice.speaker, channel: channel), options: options)
    }
  }

  /// Files of the single voices at a listener; empty without a folder for them.
  package func voiceFiles(of listener: UInt32) -> [(path: String, speaker: UInt32, channel: ChannelName)] {
    guard let folder = outputs.eachFolder else { return [] }
    let channels = ScriptChannels(script, users: users.map(\.uid))
    return users.filter { $0.uid != listener }.flatMap { speaker in
      channels.shared(by: listener, speaker.uid).map { channel in
        let place = channel == CallScript.channel ? "" : "_in_\(channel)"
        return ("\(folder)/\(listener)_from_\(speaker.uid)\(place).wav", speaker.uid, channel)
      }
    }
  }
}
