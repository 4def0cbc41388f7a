/** The announcement of the operators to everybody who uses the console. */
export { announce, type Announcement, announcementLevels, clearAnnouncement, findAnnouncement } from "./announcement";
