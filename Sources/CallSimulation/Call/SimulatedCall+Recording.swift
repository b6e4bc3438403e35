import Engine

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
    for speaker in users where speaker.uid != participant {
      try pipeline.startAudioRecording(
        "\(folder)/\(participant)_from_\(speaker.uid).wav", position: .user(speaker.uid), options: options)
    }
  }
}
