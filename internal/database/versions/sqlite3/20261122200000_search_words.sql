-- The index of the words that a search finds: the trigrams of products.search_text. PostgreSQL has trigram indexes of its own
-- (pg_trgm). Variants have none: the time of an import would grow by a sixth.
--
-- An FTS5 table numbers its documents. A document of a shop has a number of the shop's range, number << 32 and on, so that a
-- shop reads its own part of the index and no other; product_documents says whose document it is. (The rowid of products
-- itself would not do: VACUUM changes it.) FTS5 takes many documents at once in a tenth of the time of one after the other.
-- So what changes is noted, and indexed together when the content version of its shop rises, at the end of the same
-- transaction; a search looks through what is noted as well.
CREATE TABLE `search_shops` (`number` integer NOT NULL PRIMARY KEY, `tenant_id` uuid NOT NULL UNIQUE);
CREATE VIRTUAL TABLE `product_words` USING fts5(`search_text`, content='', contentless_delete=1, detail=none,
	tokenize='trigram case_sensitive 1');
CREATE TABLE `product_documents` (`number` integer NOT NULL PRIMARY KEY, `product_id` uuid NOT NULL UNIQUE);
CREATE TABLE `product_changes` (`tenant_id` uuid NOT NULL, `product_id` uuid NOT NULL, PRIMARY KEY (`tenant_id`, `product_id`))
	WITHOUT ROWID;
CREATE TRIGGER `product_is_new` AFTER INSERT ON `products` BEGIN
	INSERT INTO `product_changes` VALUES (NEW.`tenant_id`, NEW.`id`) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER `product_is_renamed` AFTER UPDATE OF `search_text` ON `products` WHEN OLD.`search_text` <> NEW.`search_text` BEGIN
	INSERT INTO `product_changes` VALUES (NEW.`tenant_id`, NEW.`id`) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER `product_is_gone` AFTER DELETE ON `products` BEGIN
	INSERT INTO `product_changes` VALUES (OLD.`tenant_id`, OLD.`id`) ON CONFLICT DO NOTHING;
END;
CREATE TRIGGER `product_words_follow` AFTER UPDATE OF `content_version` ON `tenants`
WHEN EXISTS (SELECT 1 FROM `product_changes` WHERE `tenant_id` = NEW.`id`) BEGIN
	INSERT INTO `search_shops` (`tenant_id`) VALUES (NEW.`id`) ON CONFLICT DO NOTHING;
	DELETE FROM `product_words` WHERE rowid IN (SELECT d.`number` FROM `product_changes` AS c
		JOIN `product_documents` AS d ON d.`product_id` = c.`product_id` WHERE c.`tenant_id` = NEW.`id`);
	DELETE FROM `product_documents` WHERE `product_id` IN (SELECT c.`product_id` FROM `product_changes` AS c
		WHERE c.`tenant_id` = NEW.`id` AND NOT EXISTS (SELECT 1 FROM `products` AS p WHERE p.`id` = c.`product_id`));
	INSERT INTO `product_documents` SELECT
		COALESCE((SELECT d.`number` FROM `product_documents` AS d WHERE d.`number` BETWEEN s.`number` << 32 AND (s.`number` << 32) + 0xffffffff
			ORDER BY d.`number` DESC LIMIT 1), s.`number` << 32) + row_number() OVER (ORDER BY c.`product_id`), c.`product_id`
		FROM `search_shops` AS s JOIN `product_changes` AS c ON c.`tenant_id` = s.`tenant_id`
		WHERE s.`tenant_id` = NEW.`id` AND EXISTS (SELECT 1 FROM `products` AS p WHERE p.`id` = c.`product_id`)
		AND NOT EXISTS (SELECT 1 FROM `product_documents` AS d WHERE d.`product_id` = c.`product_id`);
	INSERT INTO `product_words` (rowid, `search_text`) SELECT d.`number`, p.`search_text` FROM `product_changes` AS c
		JOIN `products` AS p ON p.`id` = c.`product_id` JOIN `product_documents` AS d ON d.`product_id` = c.`product_id`
		WHERE c.`tenant_id` = NEW.`id`;
	DELETE FROM `product_changes` WHERE `tenant_id` = NEW.`id`;
END;
CREATE TRIGGER `words_go` AFTER DELETE ON `tenants` BEGIN
	DELETE FROM `product_words` WHERE rowid IN (SELECT d.`number` FROM `search_shops` AS s JOIN `product_documents` AS d
		ON d.`number` BETWEEN s.`number` << 32 AND (s.`number` << 32) + 0xffffffff WHERE s.`tenant_id` = OLD.`id`);
	DELETE FROM `product_documents` WHERE `number` IN (SELECT d.`number` FROM `search_shops` AS s JOIN `product_documents` AS d
		ON d.`number` BETWEEN s.`number` << 32 AND (s.`number` << 32) + 0xffffffff WHERE s.`tenant_id` = OLD.`id`);
	DELETE FROM `product_changes` WHERE `tenant_id` = OLD.`id`;
	DELETE FROM `search_shops` WHERE `tenant_id` = OLD.`id`;
END;
INSERT INTO `product_changes` SELECT `tenant_id`, `id` FROM `products`;
UPDATE `tenants` SET `content_version` = `content_version`;
