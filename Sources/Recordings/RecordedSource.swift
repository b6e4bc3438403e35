/// Content of one file of a recording.
package enum RecordedSource: Hashable {
  case mixed
  case playback
  case local
  case remote(channelID: String, uid: UInt32)
}
